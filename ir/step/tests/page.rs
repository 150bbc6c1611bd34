//! `docs/steps.md` shows what the code says. `PARALLAX_BLESS=1` rewrites its generated parts.

use parallax_num::{Model, Op, Slot, Storage};
use parallax_step::{Immediate, Prim, Ty, params, program};
use std::fmt::Write;

const MODELS: [&str; 5] = ["ieee", "tgsi", "nv-patent", "ati-r300", "maxwell"];

/// The table of primitives.
fn primitives() -> String {
    let mut out = String::from(
        "| primitive | over | operands | result | NaN | x86-64 | aarch64 | meaning |\n|---|---|---|---|---|---|---|---|\n",
    );
    for row in Prim::ALL {
        let over: Vec<&str> = row.over.iter().map(|ty| ty.name()).collect();
        let slot = |slot: parallax_step::Slot| match slot {
            parallax_step::Slot::T => "T",
            parallax_step::Slot::Pattern => "pattern of T",
            parallax_step::Slot::Is(ty) => ty.name(),
        };
        let args: Vec<&str> = row.args.iter().map(|&arg| slot(arg)).collect();
        let suffix = match row.immediate {
            Immediate::None => "",
            Immediate::Mode => "[.rtz .rup .rdn][.ftz]",
            Immediate::Direction => "[.rtz .rup .rdn]",
            Immediate::Bits => " BITS",
            Immediate::Nan => ".NAN",
            Immediate::Table => ".TABLE",
        };
        let _ = writeln!(
            out,
            "| `{}{suffix}` | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            over.join(" "),
            args.join(", "),
            slot(row.result),
            row.nan.name(),
            row.x86,
            row.aarch64,
            row.doc
        );
    }
    out
}

/// The programs of an operation, model beside model.
fn side_by_side(op: Op) -> String {
    let slot = Slot::parse("fp32").expect("a slot");
    let mut out = String::from("<table>\n<tr>");
    for name in MODELS {
        let _ = write!(out, "<th>{name}</th>");
    }
    out.push_str("</tr>\n<tr>");
    for name in MODELS {
        let (rule, _) = Model::builtin(name).expect("built in").rule(op, &slot, Storage::F32);
        let program = program(op, &rule, true).expect("a program");
        assert_eq!(params(op, &rule).iter().filter(|ty| **ty != Ty::F32).count(), 0);
        let text = program.to_string().replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(out, "<td valign=\"top\"><pre>{}</pre></td>", text.trim_end());
    }
    out.push_str("</tr>\n</table>\n");
    out
}

#[test]
fn the_page_is_true() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/steps.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let mut made = page.clone();
    let parts = [
        ("primitives", primitives()),
        ("mad", side_by_side(Op::Mad)),
        ("rcp", side_by_side(Op::Rcp)),
        ("lit.y", side_by_side(Op::LitY)),
        ("lit.z", side_by_side(Op::LitZ)),
    ];
    for (name, text) in parts {
        let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
        let from = made.find(&begin).expect("where the part begins") + begin.len();
        let to = made.find(&end).expect("where the part ends");
        made.replace_range(from..to, &text);
    }
    if std::env::var_os("PARALLAX_BLESS").is_some() {
        std::fs::write(path, &made).expect("written");
        return;
    }
    assert!(page == made, "docs/steps.md is not what the code says; PARALLAX_BLESS=1 rewrites it");
}
