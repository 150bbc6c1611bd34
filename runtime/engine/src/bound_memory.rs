//! Buffers and banks of constants that a caller gives by name.

use crate::problem::invalid;
use parallax_core::Interface;
use parallax_text::{Diag, closest};

/// Words by the name of a buffer or a bank of constants: `0.1`, `push`, or an alias of it.
pub type NamedWords = Vec<(String, Vec<u32>)>;

/// Puts named words where the interface says. Buffers that are not named are empty. A bank takes no more words than it has.
pub(crate) fn bind_words<'a>(
    iface: &Interface,
    given: &'a NamedWords,
    banks: &mut [Vec<[u32; 4]>],
    diags: &mut Vec<Diag>,
) -> Vec<&'a [u32]> {
    let mut buffers: Vec<&[u32]> = vec![&[]; iface.buffers.len()];
    let mut seen: Vec<&str> = Vec::new();
    for (name, words) in given {
        let known = iface.resolve(name);
        if seen.contains(&known) {
            diags.push(invalid("buffer-twice", format!("buffer `{name}` is given twice")));
            continue;
        }
        seen.push(known);
        let buffer = iface.buffers.iter().position(|buffer| buffer.name == known);
        let bank = iface.banks.iter().position(|bank| bank.name == known);
        match (buffer, bank) {
            (Some(buffer), _) => buffers[buffer] = words,
            (None, Some(bank)) => {
                banks[bank].iter_mut().flatten().zip(words).for_each(|(to, from)| *to = *from);
            }
            (None, None) => {
                let diag = invalid("buffer-unknown", format!("the program has no buffer `{name}`"));
                let names = || {
                    let banks = iface.banks.iter().map(|bank| bank.name.as_str());
                    iface.buffers.iter().map(|buffer| buffer.name.as_str()).chain(banks)
                };
                diags.push(match closest(name, names()) {
                    Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                    None if names().next().is_none() => diag.with_help("it has none"),
                    None => diag.with_help(format!("there are {}", names().collect::<Vec<_>>().join(", "))),
                });
            }
        }
    }
    buffers
}
