//! Listings of binaries.

use crate::codec::codec;
use crate::instr::{Instr, trimmed};
use crate::program::{Addresses, cut_header, each_code, explain, explain_cut, explain_header_cut, header_of};
use parallax_isa::{Code, Style, bytes_directive};
use parallax_lift::{Labelled, Layout, Listed, Listing};
use parallax_text::Span;
use std::collections::BTreeSet;
use std::ops::Range;

/// What stands in an assembly text in place of a word that is no instruction: the word, and its control bits if they say
/// something.
fn word_directive(code: &Code) -> String {
    let (word, control) = (code.word(), crate::fields::CONTROL.get(code));
    match control as u32 {
        crate::fields::NO_CONTROL => format!(".word {word:#018x}"),
        control => format!(".word {word:#018x}, {control:#x}"),
    }
}

/// Lists a binary, whatever is in it: one entry an instruction, in the exact style also one a field of the header.
pub fn list(bytes: &[u8], layout: &Layout, style: Style) -> Listing {
    lines(bytes, layout, style, |_, _, text| text).into_iter().map(|(_, line)| line).collect()
}

/// Lists a binary exactly, whatever is in it, with labels for what branches lead to: instructions can then be added and
/// taken away. Branches that lead out of the program keep their address, and so do the few that lead to the first
/// instruction of a bundle directly and not by way of its control word.
pub fn list_labels(bytes: &[u8], layout: &Layout) -> Vec<Labelled> {
    let (_, start) = header_of(bytes, layout);
    let addresses = Addresses::of(layout);
    let mut instrs = Vec::new();
    // A bundle that is cut off is listed as bytes: nothing in it can have a label.
    each_code(whole(bytes, start, layout), start, layout.bare, |code, _| {
        instrs.push(Instr::decode(codec(), code).ok())
    });
    // The instruction a branch leads to, if it is found again by its label.
    let place = |address: u64, instr: &Instr| {
        let target = instr.target(address);
        let n = addresses.instruction_at(target).filter(|n| instr.is_branch() && *n < instrs.len());
        n.filter(|n| addresses.of_label(*n) as i64 == target)
    };
    let found = instrs.iter().enumerate().filter_map(|(n, instr)| place(addresses.of_instruction(n), instr.as_ref()?));
    let targets: BTreeSet<usize> = found.collect();
    let name = |n: usize| format!("L{n}");
    let all = lines(bytes, layout, Style::Exact, |instr, address, text| {
        match place(address, instr) {
            Some(n) => {
                let mut number = parallax_isa::Out::new();
                number.line(|line| crate::number::print_signed(instr.target(address), line));
                // The target is the first number of a branch.
                text.replacen(&format!(" {}", number.as_str()), &format!(" {}", name(n)), 1)
            }
            None => text,
        }
    });
    let header = all.len() - all.iter().filter(|(_, line)| !is_header(line)).count();
    let entry = |(n, (bytes, line)): (usize, (Range<usize>, Listed))| {
        let label = n.checked_sub(header).filter(|n| targets.contains(n)).map(name);
        Labelled { label, bytes, line }
    };
    all.into_iter().enumerate().map(entry).collect()
}

/// The bytes up to the end of the last whole bundle or, without control words, word.
fn whole<'a>(bytes: &'a [u8], start: usize, layout: &Layout) -> &'a [u8] {
    let body = bytes.len() - start.min(bytes.len());
    &bytes[..bytes.len() - body % if layout.bare { 8 } else { 32 }]
}

fn is_header(line: &Listed) -> bool {
    line.as_ref().is_ok_and(|text| text.starts_with(".header"))
}

/// The lines of a listing and the bytes of each; `edit` changes the text of an instruction at an address.
fn lines(
    bytes: &[u8],
    layout: &Layout,
    style: Style,
    edit: impl Fn(&Instr, u64, String) -> String,
) -> Vec<(Range<usize>, Listed)> {
    let codec = codec();
    if let Some(cut) = cut_header(bytes, layout) {
        return vec![(0..bytes.len(), Err((bytes_directive(bytes), Box::new(explain_header_cut(cut)))))];
    }
    let (header, start) = header_of(bytes, layout);
    let addresses = Addresses::of(layout);
    let mut lines = Vec::with_capacity(bytes.len() / 8);
    if let Some(header) = header.filter(|_| style == Style::Exact) {
        lines.extend(header.list().into_iter().map(|line| (line.bytes, Ok(line.text))));
    }
    // What is behind the last whole bundle is kept as it is.
    let whole = whole(bytes, start, layout);
    let tail = bytes.len() - whole.len();
    let mut found = Vec::with_capacity(whole.len() / 8);
    each_code(whole, start, layout.bare, |code, offset| {
        let address = addresses.of_instruction(found.len());
        let instr = Instr::decode(codec, code).map_err(|reject| {
            let diag = explain(&code, reject, Span::new(offset, offset + 8));
            (word_directive(&code), Box::new(diag))
        });
        found.push((offset, address, instr));
    });
    let mut texts = codec.texts(style, |lines| {
        let instrs = found.iter().filter_map(|(_, address, instr)| Some((address, instr.as_ref().ok()?)));
        instrs.for_each(|(address, instr)| lines.add(instr.row_id(), &instr.code_at(*address)));
    });
    lines.extend(found.into_iter().map(|(offset, address, instr)| {
        let line = instr.map(|instr| edit(&instr, address, trimmed(texts.next().unwrap_or_default())));
        (offset..offset + 8, line)
    }));
    if tail > 0 {
        let cut = each_code(bytes, bytes.len() - tail, layout.bare, |_, _| {});
        if let Some(cut) = cut {
            let directive = bytes_directive(&bytes[whole.len()..]);
            lines.push((whole.len()..bytes.len(), Err((directive, Box::new(explain_cut(cut))))));
        }
    }
    lines
}
