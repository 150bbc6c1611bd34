//! Every program of the corpus to every target.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::proof::{Outcome, Source, prove};
use parallax::Model;
use parallax_emit::TARGETS;

#[test]
fn trial() {
    let model = Model::builtin("ieee").expect("built in");
    let only = std::env::var("PARALLAX_ONLY").unwrap_or_default();
    for target in TARGETS {
        for file in parallax_corpus::shaders().filter(|file| file.path.contains(&only)) {
            let source = Source::of_corpus(file);
            match prove(&source, target, &model, 32) {
                Outcome::Equal(made) => println!(
                    "{} {}: equal, {} -> {} instructions, {} registers; {:?}",
                    target.name, source.path, source.instructions, made.instructions, made.registers, made.inexact
                ),
                Outcome::Refused(why) => println!("{} {}: refused {why:?}", target.name, source.path),
                Outcome::Different(what) => println!("{} {}: DIFFERENT {what}", target.name, source.path),
            }
        }
    }
}
