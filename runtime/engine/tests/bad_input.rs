//! Broken programs and manifests give problems with places, never a panic.

use parallax::{
    Control, Draw, Engine, Frame, LoadOptions, Loaded, Manifest, Optimise, Problems, Status, Workers, compile, load,
    run_draw,
};
use parallax_core::num::Model;
use parallax_text::Diag;
use proptest::prelude::*;

/// Cuts, doubles and swaps pieces of a text.
fn damaged(text: &str, edits: &[(usize, usize, u8)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(at, len, kind) in edits {
        if chars.is_empty() {
            break;
        }
        let at = at % chars.len();
        let end = (at + 1 + len % 24).min(chars.len());
        let piece: Vec<char> = chars[at..end].to_vec();
        match kind % 6 {
            0 => drop(chars.drain(at..end)),
            1 => drop(chars.splice(at..at, piece)),
            2 => chars[at] = char::from(kind),
            3 => chars[at] = ['[', ']', '.', ',', '-', '0', '\n', 'é', '"', '='][usize::from(kind) % 10],
            4 => chars.truncate(at),
            _ => {
                let to = (at * 7 + len) % chars.len();
                chars.splice(to..to, piece);
            }
        }
    }
    chars.into_iter().collect()
}

fn edits() -> impl Strategy<Value = Vec<(usize, usize, u8)>> {
    proptest::collection::vec((any::<usize>(), any::<usize>(), any::<u8>()), 1..6)
}

/// Problems point into the text they belong to.
fn check_places(diags: &[Diag], text: &str) {
    for diag in diags {
        assert_ne!(diag.kind, parallax_text::DiagKind::Internal, "{diag}");
        if let Some(span) = diag.span {
            assert!(
                span.start <= span.end && span.end as usize <= text.len() + 1,
                "{diag} at {span:?} of {}",
                text.len()
            );
        }
    }
}

fn run(loaded: &Loaded) -> Result<Frame, Problems> {
    let shader = loaded.shader.as_ref().expect("a lifted shader");
    let compiled = compile(shader, &Model::builtin("ieee").expect("built in"), Optimise::Yes, Engine::Interp)?;
    let mut draw = Draw::defaults(&shader.func.iface)?;
    (draw.width, draw.height, draw.fuel) = (3, 3, 50);
    run_draw(&compiled, &draw, &Workers::serial(), Control::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn damaged_programs_are_refused_or_run(number in any::<prop::sample::Index>(), edits in edits()) {
        let files: Vec<_> = parallax_corpus::shaders().collect();
        let file = number.get(&files);
        let text = damaged(file.text().unwrap_or(""), &edits);
        let loaded = load(file.path, text.as_bytes(), &LoadOptions::default());
        // Places in binaries count bytes of the input; their text is a listing.
        check_places(&loaded.diags, if loaded.text.is_empty() { &text } else { &loaded.text });
        match loaded.shader {
            None => prop_assert_ne!(loaded.status(), Status::Ok),
            Some(_) => {
                if let Err(problems) = run(&loaded) {
                    check_places(&problems.diags, "");
                }
            }
        }
    }

    #[test]
    fn any_bytes_load(bytes in proptest::collection::vec(any::<u8>(), 0..200), isa in 0usize..4) {
        let isa = parallax::FRONTENDS.get(isa).map(|f| f.name.to_string());
        let loaded = load("x", &bytes, &LoadOptions { isa, ..LoadOptions::default() });
        prop_assert!(loaded.diags.iter().all(|d| d.kind != parallax_text::DiagKind::Internal), "{:?}", loaded.diags);
        prop_assert_eq!(loaded.shader.is_some(), loaded.status() == Status::Ok);
    }

    #[test]
    fn damaged_manifests_are_refused_or_fit(number in any::<prop::sample::Index>(), edits in edits()) {
        let files: Vec<_> = parallax_corpus::FILES.iter().filter(|f| f.extension() == "toml").collect();
        let file = number.get(&files);
        let text = damaged(file.text().unwrap_or(""), &edits);
        let shader = parallax_corpus::shaders().find(|s| s.stem() == file.stem() && s.folder() == file.folder());
        match Manifest::parse(file.path, &text) {
            Err(problems) => {
                prop_assert!(!problems.diags.is_empty());
                check_places(&problems.diags, &text);
            }
            Ok(manifest) => {
                let Some(shader) = shader else { return Ok(()) };
                let loaded = load(shader.path, shader.bytes, &LoadOptions::default());
                let Some(lifted) = loaded.shader else { return Ok(()) };
                if let Err(problems) = Draw::new(&lifted.func.iface, &manifest) {
                    prop_assert!(!problems.diags.is_empty());
                    check_places(&problems.diags, &text);
                }
            }
        }
    }
}
