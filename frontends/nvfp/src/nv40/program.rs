//! Whole programs: binaries in and out, listings.

use super::fields::{BLOCK_END, TARGET, constant_follows};
use super::{Instr, Kind, Nv40, codec, sniff};
use parallax_isa::{Code, Codec, Coverage, Cut, Field, Stream, Style, Unit, Words4x32, bytes_directive};
use parallax_lift::{Labelled, Listed, Listing};
use parallax_text::{Diag, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions a program may have: more than any unit holds. Bounds what is made of bytes without an end.
pub(super) const MOST: usize = 1 << 16;

/// How words lie in memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Little-endian words: PC boards.
    #[default]
    Le,
    /// Big-endian words with their halves exchanged: RSX memory and Cg binaries.
    Rsx,
}

impl Order {
    /// Both, the default first.
    pub const ALL: [Order; 2] = [Order::Le, Order::Rsx];

    /// Name in the machine interface.
    pub const fn name(self) -> &'static str {
        match self {
            Order::Le => "le",
            Order::Rsx => "rsx",
        }
    }

    /// Reads [`Order::name`].
    pub fn from_name(name: &str) -> Option<Order> {
        Order::ALL.into_iter().find(|order| order.name() == name)
    }

    /// The stream of instructions in this order.
    pub fn stream(self) -> Words4x32 {
        Words4x32 { halves_swapped: self == Order::Rsx, constant_follows }
    }

    /// The order that was asked for, else the one in which bytes are a program, else the default.
    pub(crate) fn of(asked: Option<&str>, bytes: &[u8]) -> Order {
        asked.and_then(Order::from_name).or_else(|| sniff(bytes)).unwrap_or_default()
    }
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The instructions, up to the one that ends the program.
    pub instrs: Vec<Instr>,
}

impl Program {
    /// Reads a binary: the words of a program in this order, from the first byte to the last. It can be run only if no problem
    /// is an error; places are byte offsets.
    pub fn decode(bytes: &[u8], order: Order) -> (Program, Vec<Diag>) {
        let (codec, stream) = (codec(), order.stream());
        let (mut instrs, mut diags) = (Vec::with_capacity(bytes.len().div_ceil(16).min(MOST)), Vec::new());
        let (mut at, mut ended) = match order {
            Order::Le => legal(codec, bytes, |word| word, &mut instrs),
            Order::Rsx => legal(codec, bytes, Words4x32::exchanged, &mut instrs),
        };
        while !ended && instrs.len() + diags.len() < MOST {
            match stream.unit(bytes, at) {
                None => break,
                Some(Ok(unit)) => {
                    ended = unit.code.word() & 1 != 0;
                    at += unit.len;
                    match codec.decode(unit.code) {
                        Ok(row) => instrs.push(Instr { code: unit.code, row, offset: unit.offset as u32 }),
                        Err(reject) => diags.push(codec.explain(unit.code, reject, span(&unit))),
                    }
                }
                Some(Err(cut)) => {
                    diags.push(codec.explain_cut(cut));
                    ended = true;
                    at = bytes.len();
                }
            }
        }
        if !ended {
            let last = instrs.last().map_or(Span::default(), Instr::span);
            diags.push(match (bytes.is_empty(), at == bytes.len()) {
                (true, _) => Diag::invalid("empty-program", Span::default(), "there is no instruction"),
                (_, true) => {
                    let message = "field `end` of the last instruction is 0: the program has no end there";
                    Diag::invalid("missing-end", last, message)
                }
                _ => {
                    let message =
                        format!("field `end` is 0 in all of the first {MOST} instructions; no program is as long");
                    Diag::invalid("nv40-length", last, message)
                }
            });
        } else if at < bytes.len() {
            let message = format!(
                "field `end` of the instruction before is 1, but {} more bytes follow: a program ends there",
                bytes.len() - at
            );
            let diag = Diag::invalid("nv40-after-end", Span::new(at, bytes.len()), message);
            diags.push(diag.with_help("cut them off, or clear `end` where the program goes on"));
        }
        (Program { instrs }, diags)
    }

    /// The binary.
    pub fn encode(&self, order: Order) -> Vec<u8> {
        let (stream, mut out) = (order.stream(), Vec::new());
        self.instrs.iter().for_each(|instr| stream.put(&instr.code, &mut out));
        out
    }
}

/// Reads instructions up to the end, or up to the first that is not legal or lies at the end of the bytes; gives the byte there,
/// and whether the program ended. Nothing here depends on whether a constant follows, which no processor could foresee.
#[inline(always)]
fn legal(codec: &Codec<Nv40>, bytes: &[u8], order: impl Fn(u128) -> u128, instrs: &mut Vec<Instr>) -> (usize, bool) {
    let mut at = 0;
    while instrs.len() < MOST {
        let Some(Some(pair)) = bytes.get(at..).map(|rest| rest.first_chunk::<32>()) else { break };
        let [first, second] = pair.as_chunks::<16>().0 else { break };
        let word = order(u128::from_le_bytes(*first));
        let follows = constant_follows(word);
        let side = order(u128::from_le_bytes(*second)) & 0u128.wrapping_sub(u128::from(follows));
        let code = Code::new(word, side);
        let Ok(row) = codec.decode(code) else { break };
        instrs.push(Instr { code, row, offset: at as u32 });
        at += 16 << u32::from(follows);
        if word & 1 != 0 {
            return (at, true);
        }
    }
    (at, false)
}

fn span(unit: &Unit) -> Span {
    Span::new(unit.offset, unit.offset + unit.len)
}

/// How often each instruction form occurs in binaries, one line a form, and a line of sums.
pub fn coverage<'a>(binaries: impl IntoIterator<Item = &'a [u8]>) -> String {
    let codec = codec();
    let mut coverage = Coverage::new(codec);
    for bytes in binaries {
        Order::of(None, bytes).stream().units(bytes).flatten().for_each(|unit| coverage.word(codec, unit.code));
    }
    coverage.report(codec)
}

/// Lists a binary, whatever is in it: one entry for an instruction with its constant.
pub fn list(bytes: &[u8], order: Order, style: Style) -> Listing {
    units(bytes, order).into_iter().map(|unit| line(bytes, unit, style)).collect()
}

/// What stands in a binary: places and instructions, or what is wrong with them.
fn units(bytes: &[u8], order: Order) -> Vec<(Span, Result<Instr, Box<Diag>>)> {
    let codec = codec();
    let one = |unit: Result<Unit, Cut>| match unit {
        Ok(unit) => {
            let decoded = codec.decode(unit.code);
            let instr = decoded.map(|row| Instr { code: unit.code, row, offset: unit.offset as u32 });
            (span(&unit), instr.map_err(|reject| Box::new(codec.explain(unit.code, reject, span(&unit)))))
        }
        Err(cut) => (Span::new(cut.offset, bytes.len()), Err(Box::new(codec.explain_cut(cut)))),
    };
    order.stream().units(bytes).map(one).collect()
}

fn line(bytes: &[u8], unit: (Span, Result<Instr, Box<Diag>>), style: Style) -> Listed {
    let (place, unit) = unit;
    let place = place.start as usize..place.end as usize;
    match unit {
        Ok(instr) => {
            let mut text = instr.text(style);
            if style == Style::Exact && place.end == bytes.len() && !instr.ends() {
                text.push_str(" ; noend");
            }
            Ok(text)
        }
        Err(diag) => Err((bytes_directive(&bytes[place]), diag)),
    }
}

/// Targets of an instruction, in the order they are written.
pub(super) fn targets(codec: &Codec<Nv40>, instr: &Instr) -> impl Iterator<Item = (&'static Field, u64)> {
    let kinds = codec.row(instr.row).operands.iter().map(|operand| operand.kind);
    let code = instr.code;
    kinds.filter_map(move |kind| match kind {
        Kind::Target => Some((&TARGET, TARGET.get(&code))),
        Kind::BlockEnd => Some((&BLOCK_END, BLOCK_END.get(&code))),
        _ => None,
    })
}

/// Lists a binary exactly, whatever is in it, with labels for what branches lead to: instructions can then be added and
/// taken away. Branches that lead to no instruction of the file keep their slots.
pub fn list_labels(bytes: &[u8], order: Order) -> Vec<Labelled> {
    let units = units(bytes, order);
    let starts: FxHashMap<u64, u32> =
        units.iter().map(|(place, _)| (u64::from(place.start) / 4, place.start / 16)).collect();
    let slot_of = |words: u64| starts.get(&words).copied();
    let named: FxHashSet<u32> = units
        .iter()
        .filter_map(|(_, unit)| unit.as_ref().ok())
        .flat_map(|instr| targets(codec(), instr))
        .filter_map(|(_, words)| slot_of(words))
        .collect();
    let entry = |(place, unit): (Span, Result<Instr, Box<Diag>>)| {
        let jumps: Vec<(String, String)> = unit.as_ref().map_or(Vec::new(), |instr| {
            let found = targets(codec(), instr).filter_map(|(_, words)| slot_of(words));
            found.map(|slot| (slot.to_string(), format!("L{slot}"))).collect()
        });
        let line = line(bytes, (place, unit), Style::Exact).map(|text| with_labels(&text, &jumps));
        let label = named.contains(&(place.start / 16)).then(|| format!("L{}", place.start / 16));
        Labelled { label, bytes: place.start as usize..place.end as usize, line }
    };
    units.into_iter().map(entry).collect()
}

/// A flow word with names in the place of slots, which stand in their order behind a blank each.
fn with_labels(text: &str, jumps: &[(String, String)]) -> String {
    let (mut out, mut rest) = (String::new(), text);
    for (slot, label) in jumps {
        let stands = |at: usize| {
            let behind = rest.as_bytes().get(at + 1 + slot.len());
            behind.is_none_or(|b| matches!(b, b',' | b' '))
        };
        let Some((at, _)) = rest.match_indices(&format!(" {slot}")).find(|(at, _)| stands(*at)) else { continue };
        out.push_str(&rest[..=at]);
        out.push_str(label);
        rest = &rest[at + 1 + slot.len()..];
    }
    out + rest
}
