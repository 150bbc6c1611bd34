//! Files, devices and links, as they are read and written.

#![cfg(unix)]

use crate::support;

use std::os::unix::fs::symlink;
use std::process::Stdio;
use support::{Place, finish};

const SHADER: &str = "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n";
const TEXTURED: &str = "!!FP1.0\nTEX R0, f[TEX0], TEX0, 2D;\nMOVR o[COLR], R0;\nEND\n";

fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG")
}

#[test]
fn links_are_written_through() {
    let place = Place::new();
    place.put("a.fp", SHADER).put("target.png", "old");
    symlink("target.png", place.path("link.png")).unwrap();
    place.run(&["run", "a.fp", "--size", "4x4", "-o", "link.png"]).exits(0);
    assert!(place.path("link.png").symlink_metadata().unwrap().is_symlink());
    assert!(is_png(&place.get("target.png")));
    // As /dev/stdout is: a link to a file that is open already.
    let out = std::fs::File::create(place.path("redirected.png")).unwrap();
    symlink("/dev/stdout", place.path("out.png")).unwrap();
    let child = place.command(&["run", "a.fp", "--size", "4x4", "-o", "out.png"]).stdout(Stdio::from(out)).spawn();
    finish(child.unwrap(), b"").exits(0);
    assert!(place.path("out.png").symlink_metadata().unwrap().is_symlink());
    assert!(is_png(&place.get("redirected.png")));
}

#[test]
fn names_as_long_as_the_system_allows_are_written() {
    let place = Place::new();
    let name = format!("{}.png", "n".repeat(251));
    place.put("a.fp", SHADER).run(&["run", "a.fp", "--size", "4x4", "-o", &name]).exits(0);
    assert!(is_png(&place.get(&name)));
    assert_eq!(std::fs::read_dir(place.path(".")).unwrap().count(), 2);
}

#[test]
fn endless_files_are_refused() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    for args in [&["check", "/dev/zero"] as &[&str], &["as", "/dev/zero"]] {
        place.run(args).exits(2).says("it has more than 67108864 bytes");
    }
    for args in [
        &["run", "a.fp", "--manifest", "/dev/zero", "-o", "a.png"] as &[&str],
        &["compare", "a.fp", "--model-file", "/dev/zero", "--no-report"],
        &["models", "--model-file", "/dev/zero"],
    ] {
        place.run(args).exits(2).says("it is not a file");
    }
}

/// A pipe that nobody writes to would be waited for.
#[test]
fn pipes_are_no_manifests_and_no_textures() {
    let place = Place::new();
    place.put("a.fp", TEXTURED).put("b.fp", SHADER);
    let made = std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap();
    assert!(made.success());
    place.run(&["run", "b.fp", "--manifest", "pipe", "-o", "a.png"]).exits(2).says("manifest-read").says("not a file");
    for (name, file) in [("png", "pipe"), ("npy", "pipe.npy")] {
        place.put("a.toml", format!("[[textures]]\nunit = 0\nfile = \"{file}\"\n"));
        if name == "npy" {
            std::fs::rename(place.path("pipe"), place.path(file)).unwrap();
        }
        place.run(&["run", "a.fp", "--size", "4x4", "-o", "a.png"]).exits(2).says("it is not a file");
    }
}

#[test]
fn a_page_of_somebody_else_stays() {
    let place = Place::new();
    let compare = ["compare", "a.fp", "--models", "ieee", "--size", "4x4", "--out", "out"];
    place.put("a.fp", SHADER).put("out/index.html", "<title>My site</title>");
    place.run(&compare).exits(2).says("is not a report of parallax and would be overwritten");
    assert_eq!(place.get("out/index.html"), b"<title>My site</title>");
    assert_eq!(std::fs::read_dir(place.path("out")).unwrap().count(), 1);
    // A link of that name, wherever it leads.
    std::fs::rename(place.path("out/index.html"), place.path("site.html")).unwrap();
    symlink("../site.html", place.path("out/index.html")).unwrap();
    place.run(&compare).exits(2).says("is not a report of parallax");
    std::fs::remove_file(place.path("out/index.html")).unwrap();
    place.run(&compare).exits(0);
    place.run(&compare).exits(0);
}

/// Files of a report replace what lies under their names, and are not written through links.
#[test]
fn planted_links_are_not_followed() {
    let place = Place::new();
    place.put("a.fp", SHADER).put("precious", "mine").put("out/nothing", "");
    symlink("../precious", place.path("out/results.csv")).unwrap();
    place.run(&["compare", "a.fp", "--models", "ieee", "--size", "4x4", "--out", "out"]).exits(0);
    assert_eq!(place.get("precious"), b"mine");
    assert!(place.path("out/results.csv").symlink_metadata().unwrap().is_file());
}

#[test]
fn names_in_a_folder_that_are_no_files_are_noted() {
    let place = Place::new();
    place.put("d/a.fp", SHADER);
    symlink("nowhere", place.path("d/b.fp")).unwrap();
    symlink("/dev/null", place.path("d/c.fp")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(place.path("d/p.fp")).status().unwrap();
    assert!(made.success());
    let run = place.run(&["check", "d"]);
    run.exits(0).says("skipped d/b.fp: a dangling link").says("skipped d/c.fp: neither a file nor a folder");
    run.says("skipped d/p.fp: neither a file nor a folder");
}

#[test]
fn the_version_does_not_fit_on_a_full_device() {
    let place = Place::new();
    for args in [&["--version"] as &[&str], &["--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let child = place.command(args).stdout(Stdio::from(full)).spawn().unwrap();
        finish(child, b"").exits(2).says("cannot write standard output");
    }
    place.run(&["--version"]).exits(0).prints("parallax ");
    place.run(&["--nonsense"]).exits(2);
}

/// Chunks of a PNG with a palette of so many bytes.
fn palette_png(palette: usize) -> Vec<u8> {
    fn chunk(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
        out.extend((data.len() as u32).to_be_bytes());
        let body: Vec<u8> = kind.iter().chain(data).copied().collect();
        let crc = !body.iter().fold(u32::MAX, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
        });
        out.extend(&body);
        out.extend(crc.to_be_bytes());
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0]);
    chunk(&mut out, b"PLTE", &vec![7; palette]);
    // One row of one pixel, stored: filter 0, index 0, and their checksum.
    chunk(&mut out, b"IDAT", &[0x78, 1, 1, 2, 0, 0xfd, 0xff, 0, 0, 0, 2, 0, 1]);
    chunk(&mut out, b"IEND", &[]);
    out
}

#[test]
fn a_broken_palette_is_an_error_of_that_texture() {
    let place = Place::new();
    let manifest = "[[textures]]\nunit = 0\nfile = \"p.png\"\n";
    place.put("d/a.fp", TEXTURED).put("d/a.toml", manifest).put("d/z.fp", SHADER);
    place.put("d/p.png", palette_png(3));
    place.run(&["run", "d/a.fp", "--size", "4x4", "-o", "a.png"]).exits(0);
    for palette in [1, 2, 769, 5, 4] {
        place.put("d/p.png", palette_png(palette));
        place.run(&["run", "d/a.fp", "--size", "4x4", "-o", "a.png"]).exits(2).says("manifest-texture-file");
    }
    let run = place.run(&["compare", "d", "--models", "ieee", "--size", "4x4", "--no-report"]);
    run.exits(2).prints("d/p.png: is damaged").prints("1 the same bits everywhere, 1 invalid");
}

#[test]
fn textures_that_no_shader_samples_are_not_made() {
    let place = Place::new();
    let mut manifest = String::new();
    for unit in 1..40 {
        manifest +=
            &format!("[[textures]]\nunit = {unit}\nsource = \"noise\"\nsize = [8192, 8192]\nformat = \"rgba32f\"\n");
    }
    place.put("a.fp", TEXTURED).put("a.toml", &manifest);
    place.run(&["run", "a.fp", "--size", "4x4", "-o", "a.png"]).exits(0);
    // Those that are sampled have a limit together.
    let mut text = String::from("!!FP1.0\n");
    (1..16).for_each(|unit| text += &format!("TEX R0, f[TEX0], TEX{unit}, 2D;\n"));
    place.put("a.fp", text + "MOVR o[COLR], R0;\nEND\n");
    let manifest = manifest.replace("rgba32f", "rgba8").replace("8192, 8192", "1, 1");
    place.put("a.toml", &manifest).run(&["run", "a.fp", "--size", "4x4", "-o", "a.png"]).exits(0);
}

#[test]
fn keys_of_a_manifest_mean_one_thing_each() {
    let place = Place::new();
    place.put("a.fp", "!!FP1.0\nMOVR o[COLR], p[0];\nEND\n");
    for text in ["[constants]\n0 = [1.0]\n00 = [2.0]\n", "[constants]\n+0 = [1.0]\n", "[constants.bank01]\n0 = [1.0]\n"]
    {
        place.put("a.toml", text).run(&["run", "a.fp", "--size", "4x4", "-o", "a.png"]).exits(2);
    }
    place.put("a.toml", "[constants]\n0 = [1.0, 0.0, 0.0, 1.0]\n");
    place.run(&["run", "a.fp", "--size", "4x4", "-o", "a.png"]).exits(0);
}

#[test]
fn thousands_of_threads_are_not_started() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    for threads in ["4000", "100000"] {
        let run = place.run(&["run", "a.fp", "--size", "4x4", "--threads", threads, "-o", "a.png"]);
        run.exits(0).says(&format!("--threads {threads}: "));
    }
    place
        .run(&["sweep", "exp2", "--float", "half", "--threads", "9000", "-o", "out"])
        .exits(0)
        .says("--threads 9000: ");
}

#[test]
fn long_model_names_make_short_folders() {
    let place = Place::new();
    let fields = vec!["round=rtz"; 60].join(",");
    let model = format!("ieee[{fields}]");
    place.run(&["sweep", "exp2", "--float", "half", "--model", &model]).exits(0);
    let folders = std::fs::read_dir(place.path("parallax-sweep")).unwrap();
    let names: Vec<usize> = folders.map(|entry| entry.unwrap().file_name().len()).collect();
    assert!(names.len() == 1 && names[0] < 130, "{names:?}");
}

#[test]
fn a_misspelled_attribute_gets_a_suggestion_at_its_word() {
    let place = Place::new();
    for (line, column, near) in
        [("MOV result.color, fragment.colour;", 28, "color"), ("MOV result.colour, fragment.color;", 12, "color")]
    {
        place.put("a.fp", format!("!!ARBfp1.0\n{line}\nEND\n"));
        let run = place.run(&["check", "a.fp"]);
        run.exits(2).says(&format!("a.fp:2:{column}")).says(&format!("did you mean `{near}`?"));
    }
}

#[test]
fn one_zero_byte_is_no_text() {
    let run = Place::new().feed(&["dis", "--from", "attila", "-"], b"\0");
    run.exits(2).says("truncated-instruction");
    assert!(!run.err.contains("text"), "{}", run.err);
}

/// A picture that is written in bands is what one frame would be: the words of two pixels stand where they belong, from above and
/// from below.
#[test]
fn large_pictures_are_written_in_bands() {
    let place = Place::new();
    let (width, height) = (2304usize, 1824usize);
    let size = format!("{width}x{height}");
    place.put("a.fp", "!!FP1.0\nMOVR R0, f[TEX0];\nMULR o[COLR], f[WPOS], R0.y;\nEND\n");
    let args = ["run", "a.fp", "--size", &size, "--pixel", "7,3", "--pixel", "2300,1820", "--format", "json", "-o"];
    for (name, pixel) in [("a.npy", 16), ("a.pfm", 12)] {
        let out: serde_json::Value =
            serde_json::from_str(place.run(&[&args[..], &[name]].concat()).exits(0).text()).expect("JSON");
        assert_eq!(
            (out["fragments"].as_u64(), out["height"].as_u64()),
            (Some((width * height) as u64), Some(height as u64))
        );
        let bytes = place.get(name);
        for (n, (x, y)) in [(7, 3), (2300, 1820)].into_iter().enumerate() {
            let row = if name == "a.npy" { y } else { height - 1 - y };
            let at = bytes.len() - width * height * pixel + (row * width + x) * pixel;
            let word = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word"));
            assert_eq!(out["pixels"][n]["bits"]["o[COLR].x"], format!("{word:08x}"), "{name} {x},{y} {out}");
        }
    }
    place.run(&["run", "a.fp", "--size", &size, "-o", "a.png"]).exits(0);
    let png = place.get("a.png");
    assert!(is_png(&png) && png[16..24] == [0, 0, 9, 0, 0, 0, 7, 32], "{:?}", &png[..32]);
    // A program that writes memory is drawn whole.
    place.put(
        "w.tgsi",
        "FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nIMM UINT32 {0, 1, 2, 3}\nSTORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\n\
                         MOV OUT[0], IMM[0]\nEND\n",
    );
    place.run(&["run", "w.tgsi", "--size", "8192x8192"]).exits(2).says("16777216 in total");
}

/// What `run` says of the size is what was drawn: a list of vertices is one row.
#[test]
fn a_list_of_vertices_is_one_row() {
    let place = Place::new();
    for file in ["globe_vertex.spvasm", "globe_vertex.toml"] {
        let path = format!("spirv/{file}");
        place.put(file, parallax_corpus::get(&path).expect("in the corpus").bytes);
    }
    place.run(&["run", "globe_vertex.spvasm"]).exits(0).prints(": 4x1 pixels, 4 fragments");
}
