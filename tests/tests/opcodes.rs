//! The opcode tables of `docs/tgsi.md` and `docs/nvfp.md` are those of the readers. `PARALLAX_BLESS=1` rewrites them.

use parallax_nvfp::{Suffixes, TABLE, Vertex};
use parallax_tgsi::Opcode;
use std::path::Path;

/// Compares the marked part of a page with what the code says.
fn check(page: &str, mark: &str, fresh: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
    let text = std::fs::read_to_string(&path).expect(page);
    let start = format!("<!-- generated: {mark} -->\n");
    let (head, rest) = text.split_once(&start).expect("start mark");
    let (_, tail) = rest.split_once("\n<!-- end -->").expect("end mark");
    let fresh = format!("{head}{start}\n{fresh}\n<!-- end -->{tail}");
    if text != fresh && std::env::var_os("PARALLAX_BLESS").is_some() {
        std::fs::write(&path, fresh).expect("the page can be written");
        return;
    }
    assert!(text == fresh, "docs/{page} is out of date; run this test with PARALLAX_BLESS=1");
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn tgsi_opcodes() {
    let mut done = String::from("| opcode | what it does |\n|---|---|\n");
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in Opcode::all().map(Opcode::row) {
        match row.unsupported() {
            None => done += &format!("| `{}` | {} |\n", row.name, cell(row.doc)),
            Some(reason) => match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(row.name),
                None => reasons.push((reason, vec![row.name])),
            },
        }
    }
    let mut refused = String::from("| why | opcodes |\n|---|---|\n");
    for (reason, names) in reasons {
        refused += &format!("| {} | `{}` |\n", cell(reason), names.join("` `"));
    }
    check("tgsi.md", "executed", &done);
    check("tgsi.md", "refused", &refused);
}

#[test]
fn nvfp_opcodes() {
    let letters = |suffixes: Option<Suffixes>| match suffixes {
        None => String::new(),
        Some(s) if s.is_empty() => "yes".to_string(),
        Some(s) => {
            let names = [
                (Suffixes::R, "R"),
                (Suffixes::H, "H"),
                (Suffixes::X, "X"),
                (Suffixes::C, "C"),
                (Suffixes::CODES, "C0 C1"),
                (Suffixes::SAT, "_SAT"),
                (Suffixes::SSAT, "_SSAT"),
            ];
            let held: Vec<&str> = names.iter().filter(|(flag, _)| s.contains(*flag)).map(|(_, name)| *name).collect();
            held.join(" ")
        }
    };
    let mut table = String::from(
        "| opcode | patent | `!!FP1.0` | `!!ARBfp1.0` | + `NV_fragment_program` | + `NV_fragment_program2` | `!!ARBvp1.0` | \
         + `NV_vertex_program2` | + `NV_vertex_program3` | `!!VP` since | what it does |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in TABLE {
        let vertex = [Vertex::ARB, Vertex::OPTION2, Vertex::OPTION3].map(|kind| letters(row.vertex_suffixes(kind)));
        let plain = match row.vertex_suffixes(Vertex::VP20) {
            None => String::new(),
            Some(_) if row.vertex.contains(Vertex::VP10) => "1.0".into(),
            Some(_) if row.vertex.contains(Vertex::VP11) => "1.1".into(),
            Some(_) => "2.0".into(),
        };
        let in_dialects = [row.patent, row.fp10, row.arb, row.nv1, row.nv2].map(letters);
        let in_dialects: Vec<String> = in_dialects.into_iter().chain(vertex).chain([plain]).collect();
        if in_dialects.iter().all(String::is_empty) {
            // Microcode has its own page.
            continue;
        }
        table += &format!("| `{}` | {} | {} |\n", row.name, in_dialects.join(" | "), cell(row.doc));
    }
    check("nvfp.md", "opcodes", &table);
}
