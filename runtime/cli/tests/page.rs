//! The report in a browser: scripts run without an error, filters filter, links lead into closed parts, keys and buttons do
//! what the page says, and the pixel inspector shows the bits that `run` prints. Needs Chromium (Debian package `chromium`); skipped by name without it.

#![cfg(unix)]

use crate::support;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::Place;

const SWEEP: &str =
    "!!FP1.0\nRCPR R0.x, f[TEX0].x;\nMULR R0, R0.x, f[TEX0].y;\nEX2R R0.y, R0.x;\nMOVR o[COLR], R0;\nEND\n";
const HASH: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
    IMM FLT32 {43758.5453, 12.9898, 1.0, 0.5}\nMUL TEMP[0], IN[0].xyxy, IMM[0].yyyy\nSIN TEMP[0].x, TEMP[0].xxxx\n\
    MUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nFRC OUT[0], TEMP[0].xxxx\nEND\n";
const PLAIN: &str = "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n";

fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name))).find(|path| path.is_file())
}

/// The page as it is after its scripts have run. Whatever they write to the console is an error: the page writes nothing.
fn shown(browser: &PathBuf, place: &Place, query: &str) -> String {
    opened(browser, place, "index.html", query)
}

/// What a script says that acts on the page as a user would, a line for each call of `say`.
fn acted(browser: &PathBuf, place: &Place, script: &str) -> Vec<String> {
    let page = String::from_utf8(place.get("r/index.html")).expect("text");
    let (before, end) = page.rsplit_once("</body>").expect("a page");
    place.put(
        "r/acted.html",
        format!("{before}<script>(async () => {{{ACT}{script}\nshow();}})();</script></body>{end}"),
    );
    let dom = opened(browser, place, "acted.html", "");
    after(&dom, "<pre id=\"said\">").lines().map(str::to_string).collect()
}

/// What scripts that act on the page begin with.
const ACT: &str = "
const lines = [], say = (...all) => lines.push(all.join(' '));
const one = (query) => document.querySelector(query), all = (query) => [...document.querySelectorAll(query)];
const press = (key, at = document.body) => at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const show = () => { const pre = document.createElement('pre'); pre.id = 'said'; pre.textContent = lines.join('\\n'); document.body.append(pre); };
";

/// The page in a file as it is after its scripts have run.
fn opened(browser: &PathBuf, place: &Place, file: &str, query: &str) -> String {
    let page = place.path("r").join(file);
    let mut child = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--virtual-time-budget=8000",
        ])
        .arg(format!("--user-data-dir={}", place.path("profile").display()))
        .args(["--window-size=1400,1000", "--dump-dom"])
        .arg(format!("file://{}{query}", page.display()))
        .stdout(std::fs::File::create(place.path("dom")).expect("a file"))
        .stderr(std::fs::File::create(place.path("log")).expect("a file"))
        .stdin(Stdio::null())
        .spawn()
        .expect("the browser starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(180) {
            let _ = child.kill();
            panic!("the browser does not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let text = |name: &str| String::from_utf8_lossy(&place.get(name)).into_owned();
    let console: Vec<String> = text("log").lines().filter(|l| l.contains("CONSOLE")).map(str::to_string).collect();
    assert!(console.is_empty(), "{query}: {console:?}");
    let dom = text("dom");
    assert!(dom.contains("</html>"), "{query}: {}", text("log"));
    dom
}

/// The text behind a mark up to the next tag.
fn after<'t>(text: &'t str, mark: &str) -> &'t str {
    let rest = text.split_once(mark).unwrap_or_else(|| panic!("{mark} is not there")).1;
    rest.split('<').next().unwrap_or("")
}

/// A report of five programs, and what shows it; `None` without Chromium.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn report(test: &str) -> Option<(PathBuf, Place)> {
    let Some(browser) = browser() else {
        eprintln!("{test} is skipped: no Chromium in PATH");
        return None;
    };
    let place = Place::new();
    place
        .put("in/sweep.fp", SWEEP)
        .put("in/hash.tgsi", HASH)
        .put("in/plain.fp", PLAIN)
        .put("in/bad.fp", "!!FP1.0\nNOPE\n")
        .put("in/twin/plain.fp", PLAIN);
    let args = ["compare", "in", "--models", "ieee,ati-r300,nv40,maxwell", "--size", "16x16", "--out", "r"];
    place.run(&args).exits(2);
    Some((browser, place))
}

#[test]
fn answer_worst_and_counts_follow_the_filters() {
    let Some((browser, place)) = report("answer_worst_and_counts_follow_the_filters") else { return };
    let page = String::from_utf8(place.get("r/index.html")).expect("text");
    let written = after(after_mark(&page, "id=\"answer\""), ">");
    let said = acted(
        &browser,
        &place,
        "const set = (name, value) => { one('#filters')[name].value = value; one('#filters')[name].dispatchEvent(new Event('input', { bubbles: true })); };
        const shown = (query) => all(query).filter((e) => e.checkVisibility());
        const counts = () => shown('#counts b').reduce((sum, e) => sum + Number(e.textContent), 0);
        const tell = () => say(one('#answer').textContent, '|', counts(), '|', shown('#worst li').length, '|', location.search);
        tell(); set('model', 'ati-r300'); tell();
        say(all('#worst li').every((li) => li.dataset.models.split(' ').includes('ati-r300')), one('#most').textContent.includes('under ati-r300:'));
        say(all('#worst li a').every((a) => a.getAttribute('href')), all('#worst figcaption b a').map((a) => one(a.getAttribute('href')).tagName).join());
        set('model', 'nv40'); tell(); set('isa', 'tgsi'); tell();
        set('search', 'no such program'); tell(); say(shown('#worst, #worst h2, #most, #table, .effect-block, nav a[href=\"#worst\"]').length);
        one('#filters').reset(); await new Promise((done) => setTimeout(done, 20)); tell(); say(shown('.effect-block').length > 3, shown('#worst h2').length);",
    );
    assert_eq!(written, "1 of 5 programs looks different from ieee under at least one of 3 models.");
    let all = format!("{written} | 5 | 1 | ");
    let want = [
        &*all,
        "1 of 5 programs looks different from ieee under ati-r300. | 5 | 1 | ?model=ati-r300",
        "true true",
        "true FIGURE",
        "None of 5 programs looks different from ieee under nv40. | 5 | 0 | ?model=nv40",
        "None of 1 program looks different from ieee under nv40. | 1 | 0 | ?isa=tgsi&amp;model=nv40",
        "None of 0 programs looks different from ieee under nv40. | 0 | 0 | ?search=no+such+program&amp;isa=tgsi&amp;model=nv40",
        "0",
        &*all,
        "true 1",
    ];
    assert_eq!(said, want);
}

#[test]
fn pixel_source_and_values_are_linked() {
    let Some((browser, place)) = report("pixel_source_and_values_are_linked") else { return };
    let until = "const until = async (test) => { for (let n = 0; n < 300 && !test(); n += 1) await new Promise((done) => setTimeout(done, 20)); };
        const painted = () => { const c = one('#stage canvas'); return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((v, n) => n % 4 === 3 && v).length; };";
    let said = acted(
        &browser,
        &place,
        &format!(
            "{until} one('.program[data-name=\"in/hash.tgsi\"] figure[data-models~=\"ati-r300\"] .pair a').click();
        await until(() => one('#stage img').complete);
        const box = one('#stage img').getBoundingClientRect(), at = (x, y) => ({{ clientX: box.left + (x + 0.5) / 16 * box.width, clientY: box.top + (y + 0.5) / 16 * box.height, bubbles: true }});
        one('#stage img').dispatchEvent(new PointerEvent('pointerdown', at(5, 9)));
        await until(() => one('#source .values'));
        say(one('#inspector p').textContent, location.search.includes('pixel=5,9'));
        say(all('#source .values.first').length, all('#source .values.differs').length > 1, one('#source .traced').textContent.startsWith('Values in pixel '));
        say(one('#source .values.first').parentElement.firstChild.textContent.trim());
        one('#stage img').dispatchEvent(new PointerEvent('pointermove', at(2, 2)));
        await new Promise((done) => setTimeout(done, 50)); say(one('#inspector p').textContent, painted());
        one('#source .blamed tr[data-n]').click(); await until(() => one('.exchanged'));
        const [, changed, tried] = one('.exchanged').textContent.match(/changes (\\d+) of the (\\d+) pixels/);
        say(painted() === Number(changed), changed > 0, tried); say(all('#source .shown').length > 1, location.search.includes('exchange=0'));
        one('#source .listing .shown').click(); await new Promise((done) => setTimeout(done, 50)); say(painted(), all('#source .shown').length, location.search.includes('exchange'));
        one('#viewer button').click(); await until(() => !location.search); say('search', location.search);"
        ),
    );
    let want = [
        "Pixel 5,9 true",
        "1 true true",
        "MUL TEMP[0], IN[0].xyxy, IMM[0].yyyy",
        "Pixel 5,9 0",
        "true true 256",
        "true true",
        "0 0 false",
        "search ",
    ];
    assert_eq!(said, want);
    // The address restores all of it.
    let page = shown(&browser, &place, "?model=ati-r300");
    let card = page.split("data-name=\"in/hash.tgsi\"").nth(2).expect("its section");
    let id = card.split("<figure id=\"").nth(2).expect("a result").split('"').next().expect("its id");
    let view = shown(&browser, &place, &format!("?view={id}&mode=beside&pixel=5,9&exchange=0"));
    let dialog = view.split_once("<dialog").expect("the viewer").1;
    for needle in ["Pixel 5,9", "class=\"values differs first\"", "class=\"exchanged\"", "class=\"stage beside\""] {
        assert!(dialog.contains(needle), "{needle}");
    }
}

/// No width makes the page scroll sideways, with everything open.
#[test]
fn every_width_holds_the_page() {
    let Some((browser, place)) = report("every_width_holds_the_page") else { return };
    let said = acted(
        &browser,
        &place,
        "all('details').forEach((d) => { d.open = true; });
        const page = '<!doctype html>' + document.documentElement.outerHTML.replaceAll('<script>', '<template>');
        for (const width of [390, 1024, 1440]) {
            const frame = document.createElement('iframe');
            [frame.style.width, frame.style.height, frame.style.border, frame.srcdoc] = [width + 'px', '900px', 0, page];
            await new Promise((done) => { frame.onload = done; document.body.append(frame); });
            const root = frame.contentDocument.documentElement;
            say(width, root.scrollWidth <= root.clientWidth, frame.contentDocument.querySelector('#worst ol').clientWidth > 0.9 * width);
            frame.remove();
        }",
    );
    assert_eq!(said, ["390 true true", "1024 true true", "1440 true true"]);
}

/// The lines of a program with debug information are those of the source that it was compiled from, not of its own text.
#[test]
fn the_listing_of_a_compiled_program_is_its_source() {
    let place = Place::new();
    place
        .run(&["compare", "spirv/lanterns.spvasm", "--models", "ieee,adreno", "--size", "32x32", "--out", "r"])
        .exits(0);
    let page = String::from_utf8(place.get("r/index.html")).expect("text");
    let lines: Vec<&str> = after_mark(&page, "<ol class=\"listing\">").split("<li").skip(1).take(12).collect();
    assert!(lines[11].contains(" data-n=\"0\">float halo = 9000.0 / (square + 900.0);"), "{lines:?}");
}

/// A text behind a mark.
fn after_mark<'t>(text: &'t str, mark: &str) -> &'t str {
    text.split_once(mark).unwrap_or_else(|| panic!("{mark} is not there")).1
}

#[test]
fn the_report_works_in_a_browser() {
    let Some((browser, place)) = report("the_report_works_in_a_browser") else { return };
    let count = |query: &str| {
        let dom = shown(&browser, &place, query);
        after(&dom, "aria-live=\"polite\">").to_string()
    };
    assert_eq!(count(""), "5 of 5 programs");
    assert_eq!(count("?isa=tgsi"), "1 of 5 programs");
    assert_eq!(count("?search=SWEEP"), "1 of 5 programs");
    assert_eq!(count("?class=refused"), "1 of 5 programs");
    assert_eq!(count("?class=plain&model=ati-r300&sort=ati-r300"), "1 of 5 programs");
    // What is filtered out is hidden, in the table and below it.
    let dom = shown(&browser, &place, "?isa=tgsi");
    let hidden = |id: &str| {
        let at = dom.find(&format!(" id=\"{id}\"")).unwrap_or_else(|| panic!("{id}"));
        dom[at..].split('>').next().is_some_and(|tag| tag.contains("hidden"))
    };
    let program = |name: &str| {
        let at = dom.find(&format!("data-name=\"in/{name}\"")).unwrap_or_else(|| panic!("{name}"));
        let start = dom[..at].rfind("data-id=\"").expect("a row") + 9;
        dom[start..].split('"').next().expect("an id").to_string()
    };
    assert!(hidden(&program("sweep.fp")) && !hidden(&program("hash.tgsi")));
    // A link into a closed part opens it.
    let id = program("hash.tgsi");
    let opened = shown(&browser, &place, &format!("#{id}-1"));
    let at = opened.find(&format!(" id=\"{id}\"")).expect("the program");
    assert!(opened[at..].split('>').next().is_some_and(|tag| tag.contains("open")), "a link opens what it leads to");
    // Large pictures, and the bits of a pixel as `run` prints them.
    let view = shown(&browser, &place, &format!("?view={id}-1&mode=difference&pixel=5,9"));
    assert!(
        view.contains("<dialog") && after(&view, "<p>Pixel 5,9").is_empty(),
        "every pixel of a few programs is kept"
    );
    let dialog = view.split_once("<dialog").expect("the viewer").1;
    assert!(dialog.split('>').next().is_some_and(|tag| tag.contains("open")));
    for model in ["ieee", "ati-r300"] {
        let args = ["run", "in/hash.tgsi", "--model", model, "--size", "16x16", "--pixel", "5,9", "--format", "json"];
        let run: serde_json::Value = serde_json::from_str(place.run(&args).exits(0).text()).expect("JSON");
        let bits = run["pixels"][0]["bits"]["OUT[0].x"].as_str().expect("bits");
        assert!(dialog.contains(&format!("<td>{bits}</td>")), "{model}: {bits}");
    }
    assert!(dialog.contains("each shade is four times the previous one"), "the scale of the difference is stated");
    assert!(dialog.contains("class=\"listing\""), "the source stands beside the pictures");

    let said = acted(
        &browser,
        &place,
        "const names = all('.program').map((p) => p.dataset.name);
        const current = () => names.indexOf(one('.program.current')?.dataset.name) + (one('.program.current')?.open ? ' open' : ' closed');
        say(current()); press('j'); say(current()); press('j'); say(current()); press('k'); say(current()); press('k'); say(current());
        names.forEach(() => press('j')); press('j'); say(current(), names.length);
        press('/'); say(document.activeElement.name); press('k', one('#filters input')); say(current());
        one('#filters').search.value = 'hash'; one('#filters').search.dispatchEvent(new Event('input', { bubbles: true }));
        press('k'); say(one('.program.current').dataset.name);",
    );
    let last = "4 open";
    let want = ["-1 closed", "0 open", "1 open", "0 open", "0 open", "4 open 5", "search", last, "in/hash.tgsi"];
    assert_eq!(said, want, "j and k go through the programs that are shown, and / finds");

    // Large pictures: o, j, k, the space bar, and the modes.
    let said = acted(
        &browser,
        &place,
        "one('#filters').search.value = 'hash'; one('#filters').search.dispatchEvent(new Event('input', { bubbles: true }));
        const dialog = one('#viewer'), form = one('#viewer form'), result = form.result, top = all('#stage img')[1];
        press('j'); press('o'); const first = result.selectedIndex, count = result.options.length;
        say(dialog.open, one('#viewer h2').textContent, first, count > 1);
        press('j'); say(result.selectedIndex, top.alt === result.selectedOptions[0].textContent);
        press('k'); press('k'); say(result.selectedIndex === count - 1);
        press(' '); say(top.hidden); press(' '); say(top.hidden);
        const mode = (name) => { form.mode.value = name; form.mode.dispatchEvent(new Event('input', { bubbles: true })); };
        mode('beside'); say(one('#stage').className, form.share.disabled); mode('difference'); say(top.getAttribute('src').startsWith('pictures/'));
        mode('slider'); form.share.value = 25; form.share.dispatchEvent(new Event('input', { bubbles: true })); say(top.style.clipPath);
        one('#viewer button').click(); say(dialog.open);",
    );
    let want = [
        "true in/hash.tgsi 0 true",
        "1 true",
        "true",
        "true",
        "false",
        "stage beside true",
        "true",
        "inset(0px 0px 0px 25%)",
        "false",
    ];
    assert_eq!(said, want, "large pictures");

    // What is clicked on: pictures, columns, twins, and the way back.
    let said = acted(
        &browser,
        &place,
        "one('.program[data-name=\"in/hash.tgsi\"] figure:not(.flat) .pair a').click();
        say(one('#viewer').open, one('#viewer h2').textContent); one('#viewer').close();
        one('#worst .pair a').click(); say(one('#viewer').open, location.pathname.endsWith('acted.html')); one('#viewer').close();
        const button = one('th button.sort'); button.click(); say(one('#filters').sort.value === button.parentElement.dataset.models.split(' ')[0]);
        const twins = () => all('tr.twin').map((row) => row.hidden).join(), more = one('tr.effect button');
        say(twins()); more.click(); say(twins(), more.textContent); more.click(); say(twins(), more.textContent);
        one('#filters').isa.value = 'tgsi'; one('#filters').isa.dispatchEvent(new Event('input', { bubbles: true }));
        say(one('#count').textContent, location.search); one('#filters').reset();
        await new Promise((done) => setTimeout(done, 20)); say(one('#count').textContent, location.search);",
    );
    let want = ["true in/hash.tgsi", "true true", "true", "true,true", "false,false −", "true,true +"];
    let (filtered, others) = (&said[6..], &said[..6]);
    assert_eq!(others, want, "clicks");
    let column = filtered[0].split("&amp;sort=").nth(1).expect("the column that was sorted by");
    assert_eq!(filtered, [format!("1 of 5 programs ?isa=tgsi&amp;sort={column}"), "5 of 5 programs ".into()]);
}
