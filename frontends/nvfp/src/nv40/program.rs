//! Whole programs: binaries in and out, listings.

use super::fields::{BLOCK_END, TARGET, constant_follows};
use super::{Instr, Kind, Nv40, codec};
use parallax_isa::{Code, Codec, Field, Stream, Unit, Words4x32};
use parallax_text::{Diag, Span};

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
                (true, _) => Diag::invalid("empty-program", Span::default(), "the program has no instructions"),
                (_, true) => {
                    let message = "field `end` of the last instruction is 0: the program does not end";
                    Diag::invalid("missing-end", last, message)
                }
                _ => {
                    let message =
                        format!("field `end` is 0 in all of the first {MOST} instructions; programs cannot be longer");
                    Diag::invalid("nv40-length", last, message)
                }
            });
        } else if at < bytes.len() {
            let message =
                format!("field `end` of the previous instruction is 1, but {} more bytes follow", bytes.len() - at);
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

pub(super) fn span(unit: &Unit) -> Span {
    Span::new(unit.offset, unit.offset + unit.len)
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
