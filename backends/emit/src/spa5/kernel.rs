//! Kernels: their parameters, and accesses to memory; arrays of all shaders.
//!
//! A kernel has the parameters that a compiler for this set would give one: the address of each buffer, in 8 bytes, and behind the
//! addresses the size of each in bytes, in 4. What is outside of a buffer is 0 and is not written, so every access is under a
//! predicate that compares its address with the size. Memories of a workgroup are one behind the other.

use super::forms::{ATOMICS, Atomic, Form, form, names};
use super::inputs::place_banks;
use super::lower::Lower;
use crate::form::{Arg, Args, Base, Instr, Move, Node, Operand, Signs, SystemValue, Value, each_read};
use crate::interface::Places;
use parallax_core::Interface;
use smallvec::SmallVec;
use std::fmt::Write;

/// Where parameters begin in bank 0, and the words of the grid there.
const PARAMETERS: u32 = 0x140;
const GRID: u32 = 0x14;
/// Bytes of an address and of a size.
const ADDRESS: u32 = 8;
const SIZE: u32 = 4;
/// Bytes that a workgroup shares at most.
const SHARED: u32 = 48 << 10;

/// A word of bank 0.
const fn word(offset: u32) -> Base {
    Base::Const { bank: 0, index: offset / 16, comp: (offset / 4 % 4) as u8 }
}

/// The memory that a buffer is.
#[derive(Copy, Clone, Debug)]
enum Memory {
    /// Where its address and its size stand in bank 0.
    Global { address: u32, size: u32 },
    /// Its first byte in the memory of the workgroup, and how many it has.
    Shared { first: u32, bytes: u32 },
}

/// The bytes of a memory of a workgroup.
const fn bytes(words: u32) -> u32 {
    words.saturating_mul(4)
}

/// How many buffers the caller gives.
fn globals(iface: &Interface) -> usize {
    iface.buffers.iter().filter(|buffer| buffer.workgroup.is_none()).count()
}

/// The bytes that a workgroup shares.
fn shared(iface: &Interface) -> u32 {
    iface.buffers.iter().filter_map(|buffer| buffer.workgroup).fold(0, |sum, words| sum.saturating_add(bytes(words)))
}

/// Where a buffer is.
fn memory(iface: &Interface, buffer: u16) -> Memory {
    let before = &iface.buffers[..usize::from(buffer)];
    match iface.buffers[usize::from(buffer)].workgroup {
        Some(words) => {
            let first = before.iter().filter_map(|buffer| buffer.workgroup).map(bytes).sum();
            Memory::Shared { first, bytes: bytes(words) }
        }
        None => {
            let number = before.iter().filter(|buffer| buffer.workgroup.is_none()).count() as u32;
            let sizes = PARAMETERS + ADDRESS * globals(iface) as u32;
            Memory::Global { address: PARAMETERS + ADDRESS * number, size: sizes + SIZE * number }
        }
    }
}

/// Where constants and buffers of a kernel go, or why they cannot.
pub(super) fn place(iface: &Interface, places: &mut Places) {
    place_banks(iface, places, 1);
    if shared(iface) > SHARED {
        places.refuse(format!("{} bytes that a workgroup shares: SPA 5.0 has {SHARED}", shared(iface)));
    }
    let count = globals(iface) as u16;
    let (mut global, mut own) = (0, count);
    for (n, buffer) in (0..).zip(&iface.buffers) {
        let next = if buffer.workgroup.is_some() { &mut own } else { &mut global };
        // All memories of a workgroup are one buffer there.
        places.carried.buffers.push((*next).min(count));
        *next += 1;
        if let Memory::Global { size, .. } = memory(iface, n) {
            places.carried.sizes.push((n, (0, size / 16, (size / 4 % 4) as u8)));
        }
    }
}

/// What stands in front of the instructions of a kernel.
pub(super) fn header(iface: &Interface, local: u32) -> String {
    let [x, y, z] = iface.workgroup;
    let mut text = format!(".kernel\n.block {x}, {y}, {z}\n");
    let directives = [("shared", shared(iface)), ("local", local)];
    for (name, bytes) in directives.into_iter().filter(|&(_, bytes)| bytes > 0) {
        let _ = writeln!(text, ".{name} {bytes}");
    }
    let (mut offset, count) = (PARAMETERS, globals(iface));
    for size in std::iter::repeat_n(ADDRESS, count).chain(std::iter::repeat_n(SIZE, count)) {
        let _ = writeln!(text, ".param {offset:#x}, {size}");
        offset += size;
    }
    text.push('\n');
    text
}

/// Banks of constants one further: the first one has the parameters.
pub(super) fn move_banks(nodes: &mut [Node]) {
    let further = |base: &mut Base| {
        if let Base::Const { bank, .. } = base {
            *bank += 1;
        }
    };
    let further_arg = |arg: &mut Arg| {
        let mut base = arg.base();
        further(&mut base);
        *arg = arg.with_base(base);
    };
    for node in nodes {
        match node {
            Node::Single(single) => single.args.iter_mut().for_each(further_arg),
            Node::Op(instr) => {
                let lanes = instr.operands.iter_mut().flat_map(|operand| operand.lanes.iter_mut().flatten());
                lanes.for_each(further);
            }
            Node::Moves(moves) => moves.iter_mut().for_each(|one| further_arg(&mut one.from)),
            Node::If { condition, then, other, .. } => {
                further_arg(condition);
                move_banks(then);
                move_banks(other);
            }
            Node::Loop { body, .. } => move_banks(body),
            _ => {}
        }
    }
}

/// The special register of a system value of kernels; the sides of the grid are words of bank 0.
pub(super) fn system(value: SystemValue, comp: u8) -> Result<&'static str, Base> {
    let names = match value {
        SystemValue::Size => return Err(word(GRID + 4 * u32::from(comp))),
        SystemValue::Block => &names::GROUP,
        _ => &names::THREAD,
    };
    Ok(names[usize::from(comp) % 3])
}

/// The value of an operand of an access, by number.
fn operand(instr: &Instr, n: usize) -> Option<Arg> {
    let operand = instr.operands.get(n)?;
    Some(Arg::new(operand.lanes[0]?, operand.signs))
}

impl Lower<'_> {
    /// An access to a buffer.
    pub(super) fn access(&mut self, form: &'static Form, buffer: u16, instr: &Instr) {
        let memory = memory(&self.func.iface, buffer);
        if form.name == names::SIZE {
            if let Memory::Global { size, .. } = memory {
                let size = Args::of(&[Arg::plain(word(size))]);
                self.legal(self::form(names::MOV), false, size, instr.results[0]);
            }
            return;
        }
        let Some(at) = operand(instr, 1) else { return };
        let at = self.resolved(at);
        match memory {
            Memory::Global { address, size } => {
                let inside = self.is_below(at, Arg::plain(word(size)));
                let address = self.pair_of_address(at, address);
                self.guarded(form, inside, address, 0, instr);
            }
            Memory::Shared { first, bytes } => {
                let inside = self.is_below(at, Arg::imm(bytes));
                self.at_byte(self::form(in_workgroup(form.name)), inside, at, first, instr);
            }
        }
    }

    /// An access to an element of an array, which lies in local memory behind those before it.
    pub(super) fn element(&mut self, form: &'static Form, array: u32, instr: &Instr) {
        let lens = |count: usize| self.func.arrays.iter().take(count).map(|(_, array)| bytes(array.len)).sum::<u32>();
        let (first, all) = (lens(array as usize), lens(usize::MAX));
        let len = (lens(array as usize + 1) - first) / 4;
        // The header counts local memory by 16 bytes.
        self.local = all.next_multiple_of(16);
        let Some(index) = operand(instr, 1) else { return };
        let index = self.resolved(index);
        let inside = self.is_below(index, Arg::imm(len));
        let at = match index.bits() {
            Some(index) => Arg::imm(index.wrapping_mul(4)),
            None => {
                let at = self.fresh(false);
                self.legal(self::form(names::SHL), false, Args::of(&[index, Arg::imm(2)]), Some(at));
                Arg::value(at)
            }
        };
        self.at_byte(form, inside, at, first, instr);
    }

    /// Whether a number is below another one.
    fn is_below(&mut self, at: Arg, size: Arg) -> Arg {
        if let (Some(at), Some(size)) = (at.bits(), size.bits()) {
            return Arg::imm(if at < size { u32::MAX } else { 0 });
        }
        let inside = self.fresh(true);
        self.legal(form(names::BELOW), false, Args::of(&[at, size]), Some(inside));
        Arg::value(inside)
    }

    /// An access at an address of 32 bits.
    fn at_byte(&mut self, form: &'static Form, inside: Arg, at: Arg, first: u32, instr: &Instr) {
        let (address, offset) = match at.bits() {
            Some(at) => (Operand::one(Arg::imm(0)), first.wrapping_add(at)),
            None => (Operand::one(Arg::value(self.register(at.base()))), first),
        };
        self.guarded(form, inside, address, offset, instr);
    }

    /// An access under a predicate: elsewhere nothing is written and zeros are read.
    fn guarded(&mut self, form: &'static Form, inside: Arg, address: Operand, offset: u32, instr: &Instr) {
        let result = instr.results[0].filter(|&result| self.is_read(result));
        let reduction = atomic(form.name).and_then(|atomic| atomic.reduction).filter(|_| result.is_none());
        let form = reduction.map_or(form, self::form);
        let mut found = Arg::imm(0);
        if inside != Arg::imm(0) {
            let mut operands = SmallVec::from_iter([Operand::one(inside), address, Operand::one(Arg::imm(offset))]);
            let values: SmallVec<[Arg; 2]> = (2..4).filter_map(|n| operand(instr, n)).collect();
            match values[..] {
                [] => {}
                [value] => {
                    let base = self.resolved(value).base();
                    let base = if base == Base::Imm(0) { base } else { Base::Value(self.register(base)) };
                    operands.push(Operand::one(Arg::plain(base)));
                }
                _ => operands.push(self.copied(values.iter().map(|value| value.base()))),
            }
            let raw = result.map(|_| self.fresh(false));
            let access = Instr { changes: true, ..Instr::one(form.row(), false, operands, raw, instr.origin) };
            self.out.push(Node::Op(Box::new(access)));
            found = raw.map_or(found, Arg::value);
        }
        if result.is_some() {
            let args = Args::of(&[inside, found, Arg::imm(0)]);
            self.computes(self::form(names::CHOOSE), false, args, result);
        }
    }

    /// The address of a byte of a buffer, in two registers.
    fn pair_of_address(&mut self, at: Arg, address: u32) -> Operand {
        let pair = [0; 2].map(|_| self.fresh(false));
        let [low, high] = [word(address), word(address + 4)].map(Arg::plain);
        self.sum_of_pairs([names::ADD_LOW, names::ADD_HIGH], [at, Arg::imm(0)], [low, high], pair.map(Some));
        self.groups.push(SmallVec::from_iter(pair));
        Operand { lanes: [Some(Base::Value(pair[0])), Some(Base::Value(pair[1])), None, None], signs: Signs::default() }
    }

    /// Copies of values in registers one after the other.
    fn copied(&mut self, from: impl Iterator<Item = Base>) -> Operand {
        let mut operand = Operand { lanes: [None; 4], signs: Signs::default() };
        let mut copies: SmallVec<[Value; 4]> = SmallVec::new();
        let mut moves = Vec::new();
        for (lane, base) in operand.lanes.iter_mut().zip(from) {
            let (to, from) = (self.fresh(false), self.resolved(Arg::plain(base)));
            moves.push(Move { to, from });
            copies.push(to);
            *lane = Some(Base::Value(to));
        }
        self.out.push(Node::Moves(moves));
        self.groups.push(copies);
        operand
    }
}

/// The same access to the memory of a workgroup.
fn in_workgroup(name: &str) -> &'static str {
    match name {
        names::LOAD_WORD => names::LOAD_SHARED,
        names::STORE_WORD => names::STORE_SHARED,
        _ => atomic(name).map_or(names::LOAD_SHARED, |atomic| atomic.shared),
    }
}

/// The change of a word of a buffer that a form is.
fn atomic(name: &str) -> Option<&'static Atomic> {
    ATOMICS.iter().find(|atomic| atomic.global == name)
}

/// Marks the values that something reads.
pub(super) fn find_reads(nodes: &[Node], read: &mut [bool]) {
    each_read(nodes, &mut |base| {
        if let Base::Value(value) | Base::ConstAt { at: value, .. } = base {
            read[value as usize] = true;
        }
    });
}
