//! NV40 microcode as far as containers need it: where instructions end and constants stand, and what bytes can be a program.

use crate::tree::{Content, Node, Order, Program};
use std::sync::Arc;

/// Bytes of an instruction, and of a constant behind one.
pub(crate) const SLOT: usize = 16;

/// What the slots of a program are.
pub(crate) struct Slots {
    /// Whether each slot up to the end is a constant.
    pub(crate) constant: Vec<bool>,
    /// Whether an instruction has the end bit.
    pub(crate) ended: bool,
}

/// The four words of a slot.
fn words(slot: &[u8], order: Order) -> [u32; 4] {
    let (words, _) = slot.as_chunks::<4>();
    std::array::from_fn(|n| words.get(n).map_or(0, |bytes| order.word(*bytes)))
}

/// Whether an instruction goes on with a constant: some source is one, and it is no branch.
fn has_constant(words: &[u32; 4]) -> bool {
    words[2] >> 31 == 0 && words[1..].iter().any(|word| word & 3 == 2)
}

/// Walks the slots up to the end of the program.
pub(crate) fn slots(code: &[u8], order: Order) -> Slots {
    let (mut constant, mut ended) = (Vec::new(), false);
    let mut slots = code.chunks_exact(SLOT);
    while let Some(slot) = slots.next().filter(|_| !ended) {
        let words = words(slot, order);
        constant.push(false);
        ended = words[0] & 1 == 1;
        if has_constant(&words) {
            match slots.next() {
                Some(_) => constant.push(true),
                // The constant is missing.
                None => ended = false,
            }
        }
    }
    Slots { constant, ended }
}

/// Whether bytes are a whole program: every instruction one that a compiler could have made, and the last has the end bit.
fn is_program(code: &[u8], order: Order) -> bool {
    let Slots { constant, ended } = slots(code, order);
    let instructions = code.chunks_exact(SLOT).zip(&constant).filter(|(_, constant)| !**constant);
    ended && constant.len() * SLOT == code.len() && instructions.map(|(slot, _)| words(slot, order)).all(plausible)
}

/// Whether an instruction can be one: an opcode there is, registers there are, sources of known types.
fn plausible(words: [u32; 4]) -> bool {
    /// Registers of 32 bits a fragment has; twice as many halves.
    const REGISTERS: u32 = 48;
    let [first, ref sources @ ..] = words;
    let opcode = first >> 24 & 0x3f | (words[2] >> 31) << 6;
    if words[2] >> 31 == 1 {
        return (0x40..=0x45).contains(&opcode);
    }
    let unused = first >> 30 & 1 == 1;
    let register = first >> 1 & 0x3f;
    // No opcode has these numbers.
    if matches!(opcode, 0x30 | 0x32 | 0x3f) || !(unused || register < REGISTERS) || first >> 13 & 0xf > 14 {
        return false;
    }
    // Words of zeros are instructions, and fill all kinds of files.
    let used = opcode != 0 || first & 1 == 1;
    used && sources.iter().all(|word| word & 3 != 3 && (word & 3 != 0 || word >> 2 & 0x3f < REGISTERS))
}

/// Microcode behind a control word, as bytes that no frontend knows may be: the control word and whole instructions, each of
/// them one that a compiler could have made, and an end where the bytes end. The words lie as RSX memory has them or
/// little-endian; the control word is big-endian or little-endian with them.
pub fn with_control_word(bytes: &[u8]) -> Option<Node> {
    let (control, code) = bytes.split_first_chunk::<4>()?;
    if code.is_empty() || !code.len().is_multiple_of(SLOT) {
        return None;
    }
    let order = [Order::HalfSwapped, Order::Little].into_iter().find(|order| is_program(code, *order))?;
    let control = match order {
        Order::HalfSwapped | Order::Big => u32::from_be_bytes(*control),
        Order::Little => u32::from_le_bytes(*control),
    };
    // Bits above the count of registers mean nothing; a program has at least one register.
    if control >> 30 != 0 || control >> 24 == 0 {
        return None;
    }
    let mut node = Node::plain(String::new(), 0..bytes.len());
    node.say("control word", format!("{control:#010x}"));
    describe(control, &mut node);
    node.content = Content::Program(Arc::new(Program {
        title: "RSX fragment program with control word",
        isa: "nvfp",
        dialect: Some("nv40"),
        order: Some(order),
        code: 4..bytes.len(),
        control: Some(control),
        constants: Vec::new(),
        banks: Vec::new(),
        kernel: None,
        settings: Vec::new(),
        model: None,
    }));
    Some(node)
}

/// Control bits.
pub(crate) const COLOR_IN_R: u32 = 0x40;
pub(crate) const WRITES_DEPTH: u32 = 0xe;
pub(crate) const USES_KIL: u32 = 0x80;

/// What a control word says.
pub(crate) fn describe(control: u32, node: &mut Node) {
    node.say("registers", (control >> 24 & 0x3f).to_string());
    node.say("colours in", if control & COLOR_IN_R == 0 { "H0, H4, H6, H8" } else { "R0, R2, R3, R4" });
    node.say("depth", if control & WRITES_DEPTH == 0 { "not written" } else { "R1.z" });
    node.say("KIL", if control & USES_KIL == 0 { "not used" } else { "used" });
}
