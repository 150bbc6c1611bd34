//! The page as text.

use super::*;
use crate::comparison::Comparison;
use crate::findings::tests::{report as bare, row, shader};
use crate::frame::tests::{one_channel, one_exact};
use crate::report::{Problem, ShaderReport, Subject};
use crate::{Detail, Frame};
use parallax_num::Tier;

fn wave() -> Vec<f64> {
    (0..256).map(|n| f64::from(n * n % 251) / 250.0).collect()
}

fn rounded(step: f64) -> Frame {
    let values: Vec<f32> =
        wave().iter().map(|v| if step == 0.0 { *v as f32 } else { ((v / step) as i32 as f64 * step) as f32 }).collect();
    one_channel(16, &values)
}

fn sample() -> Report {
    let reference = one_exact(16, &wave());
    let (plain, rough, fine) = (rounded(0.0), rounded(1.0 / 8.0), rounded(1.0 / 4096.0));
    let run = |subject: Subject| {
        let mut comparison = Comparison::new(&reference, Some(&plain), Detail::default());
        comparison.add("ieee", Tier::Format, &plain);
        comparison.add("rough", Tier::Format, &rough);
        comparison.add("fine", Tier::Format, &fine);
        comparison.add("other", Tier::Format, &plain);
        comparison.finish(subject)
    };
    let subject = |name: &str, isa: &str| Subject {
        name: name.into(),
        isa: isa.into(),
        effect: "wave".into(),
        title: "Wave <&>".into(),
        about: "Steps.".into(),
        listing: "FRAG\nDCL OUT[0], COLOR\n".into(),
        default_inputs: true,
        is_kernel: false,
    };
    let odd = ShaderReport::refused(
        Subject { name: "odd \"'<>".into(), effect: "odd".into(), ..Subject::default() },
        true,
        vec![Problem { place: Some((3, 7)), message: "`TXD` is <not> done".into() }],
    );
    let shaders = vec![run(subject("tgsi/wave", "tgsi")), run(subject("attila/wave", "attila")), odd];
    let report = bare(&["ieee", "rough", "fine", "other"], shaders);
    Report { command: "parallax compare 'a b'".into(), unfinished: 1, ..report }
}

#[test]
fn the_page_answers_first_and_holds_everything() {
    let report = sample();
    let page = html(&report);
    assert_eq!(page, html(&report));
    let text = &page.html;
    for needle in [
        "parallax compare &#39;a b&#39;",
        "Wave &#60;&#38;&#62;",
        "2 of 3 programs look different from ieee under at least one of 3 models.",
        "Most visible: <a href=\"#s0-1\">Wave &#60;&#38;&#62;</a> under rough:",
        "<span data-class=\"plain\"><i class=\"plain\"></i><b>2</b> plainly different</span>",
        "The most visible difference",
        "unsupported: not analysed",
        "line 3, column 7: `TXD` is &#60;not&#62; done",
        "<li>DCL OUT[0], COLOR\n",
        "1 program was not run",
        "2 of 2 programs have no manifest and are drawn with default inputs.",
        "Same bits as ieee: other.",
        "prefers-color-scheme: dark",
    ] {
        assert!(text.contains(needle), "{needle}");
    }
    // The answer, then the worst, then the table, then the programs.
    let at = |needle: &str| text.find(needle).unwrap();
    let order = [at("class=\"verdict\""), at("id=\"worst\""), at("id=\"table\""), at("id=\"effects\"")];
    assert!(order.is_sorted(), "{order:?}");
}

/// Every link leads to a place of the page or to a file beside it, and no file lies there that nothing shows.
#[test]
fn links_lead_somewhere_and_the_network_is_not_asked() {
    let page = html(&sample());
    let values = |name: &str| -> Vec<&str> {
        let start = format!("{name}=\"");
        let parts: Vec<&str> = page.html.split(start.as_str()).skip(1).collect();
        parts.into_iter().filter_map(|part| part.split('"').next()).collect()
    };
    let mut ids = values(" id");
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id twice");
    let known: Vec<&str> = page.files.iter().map(|(path, _)| path.as_str()).collect();
    let mut used = Vec::new();
    for link in values("href").into_iter().chain(values(" src")).chain(values("data-pixels")) {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.binary_search(&id).is_ok(), "#{id}"),
            None if link == "data:," || link.is_empty() => {}
            None => assert!(known.contains(&link), "{link}"),
        }
        used.push(link);
    }
    known.iter().for_each(|path| assert!(used.contains(path), "{path}"));
    for target in values("data-large").into_iter().chain(values("data-id")) {
        assert!(ids.binary_search(&target).is_ok(), "{target}");
    }
    assert!(!page.html.replace("http://www.w3.org/2000/svg", "").contains("://") && !page.html.contains("@import"));
}

/// Twins with equal pictures keep them once, and a picture that nobody can tell from another is not kept.
#[test]
fn pictures_are_kept_once() {
    let page = html(&sample());
    let of = |folder: &str| page.files.iter().filter(|(path, _)| path.starts_with(folder)).count();
    // The baseline's and the rough one; the differences of the rough and of the fine one, and of the baseline from the reference.
    assert_eq!((of("pictures/"), of("pixels/")), (5, 1));
    // Results of either program that nobody can tell apart have their difference alone.
    assert_eq!(page.html.matches("<div class=\"pair\"><a class=\"map\"").count(), 4);
    let words = page.files.iter().find(|(path, _)| path.starts_with("pixels/")).unwrap();
    let text = std::str::from_utf8(&words.1).unwrap();
    assert!(text.starts_with(&format!("parallaxPixels(\"{}\",{{\"size\":[16,16],\"every\":1,", words.0)), "{text}");
}

/// With many programs a picture is kept as what it adds to the one that it is compared with, if that is little.
#[test]
fn pictures_of_many_programs_lie_over_each_other() {
    let mut report = sample();
    let plain = one_exact(16, &wave());
    let near = {
        let mut values = wave();
        values[100] = 1.0 - values[100];
        values
    };
    let near: Vec<f32> = near.into_iter().map(|v| v as f32).collect();
    let mut comparison = Comparison::new(&plain, Some(&plain), Detail::default());
    comparison.add("ieee", Tier::Format, &plain);
    comparison.add("rough", Tier::Format, &one_channel(16, &near));
    let subject = Subject { name: "spot".into(), effect: "spot".into(), ..Subject::default() };
    report.shaders.push(comparison.finish(subject));
    let few = html(&report);
    assert!(!few.html.contains("class=\"over\"") && !few.html.contains("the page shows them combined"));
    for n in 0..FEW {
        let subject = Subject { name: format!("odd{n}"), effect: "odd".into(), ..Subject::default() };
        report.shaders.push(ShaderReport::refused(subject, true, Vec::new()));
    }
    let page = html(&report);
    assert!(page.html.contains("the page shows them combined"));
    // In the card, and among the worst.
    let over: Vec<&str> = page.html.match_indices("\" class=\"over\"").map(|(at, _)| &page.html[at - 20..at]).collect();
    assert_eq!((over.len(), over[0]), (2, over[1]));
    let (_, bytes) = page.files.iter().find(|(path, _)| path.ends_with(over[0])).unwrap();
    let (_, pixels) = picture::decode(bytes).unwrap();
    assert_eq!(pixels.iter().filter(|p| p[3] == 255).count(), 1);
    assert_eq!(page.html.matches("--below:url(pictures/").count(), 4);
}

#[test]
fn twins_stand_behind_the_row_of_their_effect() {
    let page = html(&sample());
    assert_eq!((page.html.matches("class=\"effect\"").count(), page.html.matches("class=\"twin\"").count()), (1, 2));
    // ieee has a column of its own, beside the reference; `other` differs from it nowhere and from nobody's column.
    let head = page.html.split("<thead>").nth(1).unwrap().split("</thead>").next().unwrap();
    let columns: Vec<&str> = head.split("data-models=\"").skip(1).map(|part| part.split('"').next().unwrap()).collect();
    assert_eq!(columns, ["other", "rough", "fine"]);
    assert!(head.contains("<span>ieee</span><span>beside binary64</span>"), "{head}");
}

#[test]
fn models_without_result_are_shown_as_such() {
    let mut endless = row("w", 0, 0, 2);
    endless.refused = Some("the loops <do> not end".into());
    let report =
        bare(&["ieee", "v", "w"], vec![shader("s", "s", vec![row("ieee", 0, 0, 0), row("v", 3, 90, 1), endless])]);
    let page = html(&report).html;
    assert!(page.contains("no result: the loops &#60;do&#62; not end"));
    assert!(page.contains("<td class=\"none\"><a href=\"#s0-2\">no result</a>"), "{page}");
}

/// Colours by lightness: each class is darker than the one before in the light face, lighter in the dark one, so that
/// the order can be seen by every kind of eye; and what is written on them can be read.
#[test]
fn classes_are_told_apart_by_lightness() {
    let (light, dark) = CSS.split_once("prefers-color-scheme: dark").unwrap();
    let channel = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    let colour = |face: &str, name: &str| -> [f64; 3] {
        let value = face.split(&format!("--{name}: #")).nth(1).unwrap();
        let digits: String = value.chars().take_while(char::is_ascii_hexdigit).collect();
        let digits = if digits.len() == 3 { digits.chars().flat_map(|c| [c, c]).collect() } else { digits };
        [0, 2, 4].map(|n| f64::from(u8::from_str_radix(&digits[n..n + 2], 16).unwrap()) / 255.0)
    };
    let luminance = |face: &str, name: &str| -> f64 {
        let [r, g, b] = colour(face, name).map(channel);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let contrast = |a: f64, b: f64| (a.max(b) + 0.05) / (a.min(b) + 0.05);
    // A class mixed with the paper of cards.
    let mixed = |face: &str, name: &str, degree: &str| -> f64 {
        let percent = face.split(&format!("--{degree}: ")).nth(1).unwrap().split('%').next().unwrap();
        let share = percent.parse::<f64>().unwrap() / 100.0;
        let [own, card] = [colour(face, name), colour(face, "card")];
        let part = |n: usize| channel(own[n] * share + card[n] * (1.0 - share));
        0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
    };
    for (face, falls) in [(light, true), (dark, false)] {
        let ramp = ["same", "bits", "step", "seen", "plain", "none"].map(|name| luminance(face, name));
        for pair in ramp.windows(2) {
            assert!((pair[0] > pair[1]) == falls && contrast(pair[0], pair[1]) > 1.15, "{ramp:?}");
        }
        let (low, high) = (luminance(face, "on-low"), luminance(face, "on-high"));
        assert!(ramp[..4].iter().all(|c| contrast(*c, low) >= 4.5), "{ramp:?} {low}");
        assert!(ramp[4..].iter().all(|c| contrast(*c, high) >= 4.5), "{ramp:?} {high}");
        let ink = luminance(face, "ink");
        for name in ["step", "seen", "plain"] {
            let degrees = ["q1", "q2", "q3"].map(|degree| mixed(face, name, degree));
            assert!(degrees.is_sorted_by(|a, b| (a > b) == falls), "{name} {degrees:?}");
            assert!(degrees.iter().all(|c| contrast(*c, ink) >= 4.5), "{name} {degrees:?} {ink}");
        }
    }
}
