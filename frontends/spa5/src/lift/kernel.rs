//! Kernels: workgroups, parameters and the words of bank 0 that say how a kernel was started, special registers, barriers.
//!
//! Bank 0 begins with words that the driver fills: the sides of a workgroup stand at 0x8, those of the grid at 0x14, the
//! first address behind local memory at 0x20, from which the stack of a kernel grows down, the number of the launch at 0x28, and the
//! bytes of shared memory that the caller adds at 0xfc. Parameters follow where the cubin says. What else stands in front of them is
//! not documented.
//!
//! A parameter of eight bytes may be the address of a buffer. Unless the caller gives it another value, parameter N holds
//! N + 1 in its bits from 40 on: the address of the first byte of the buffer `param[N]`.

use super::Ctx;
use super::registers::Memories;
use super::surface::{self, Surface};
use crate::fields::RZ;
use crate::view::{Content, Name, Operands};
use parallax_core::num::Subgroup;
use parallax_core::{Access, AtomicOp, BufferDecl, ConstDecl, OpKind, SysVal, Type, ValueId};
use parallax_lift::{Deferred, Kernel, Lifter, Options, unplaced};
use parallax_num::Op;
use parallax_text::Diag;

/// Lanes of a warp.
const WARP: u32 = 32;
/// Bits of an address inside of a buffer.
const BUFFER_BITS: u32 = 40;
/// Bytes of the window of generic addresses that leads to shared memory, and of that to local memory.
const WINDOW: u32 = 1 << 24;
/// Where the window of shared memory begins.
pub(super) const SHARED_WINDOW: u32 = 1 << 24;
/// Where the window of local memory begins.
pub(super) const LOCAL_WINDOW: u32 = 2 << 24;

/// Words of bank 0.
mod word {
    /// Where the window of generic addresses begins that leads to shared memory, and behind it that of local memory.
    pub(super) const WINDOWS: i32 = 0;
    /// Sides of a workgroup.
    pub(super) const BLOCK: i32 = 0x8 / 4;
    /// Sides of the grid.
    pub(super) const GRID: i32 = 0x14 / 4;
    /// The first address behind local memory.
    pub(super) const STACK: i32 = 0x20 / 4;
    /// The number of the launch, and its high word.
    pub(super) const LAUNCH: i32 = 0x28 / 4;
    pub(super) const LAUNCH_HIGH: i32 = 0x2c / 4;
    /// Bytes of shared memory that the caller adds.
    pub(super) const ADDED_SHARED: i32 = 0xfc / 4;
    /// Where both windows begin, the high words. Pascal has them.
    pub(super) const SHARED_WINDOW_HIGH: i32 = 0x100 / 4;
    pub(super) const LOCAL_WINDOW_HIGH: i32 = 0x104 / 4;
    /// Where parameters begin if nothing says so.
    pub(super) const PARAMS: i32 = 0x140 / 4;
}

/// The high word of the address of the buffer of parameter `number`.
pub(super) const fn base(number: u32) -> u32 {
    (number + 1) << (BUFFER_BITS - 32)
}

/// Says that a kernel cannot be started so.
fn invalid(message: String) -> Diag {
    unplaced("kernel", message)
}

/// Declares what a kernel has: its workgroup, its parameters, and the buffers they may point to or the surfaces that they are.
pub(super) fn declare(
    l: &mut Lifter<'_>,
    kernel: &Kernel,
    surfaces: &[Surface],
    options: &Options,
    diags: &mut Vec<Diag>,
) -> Memories {
    /// Invocations of a workgroup where nobody says how many.
    const BLOCK: [u32; 3] = [WARP, 1, 1];
    let block = options.block.or(kernel.block).unwrap_or(BLOCK);
    if let (Some(given), Some(needed)) = (options.block, kernel.block)
        && given != needed
    {
        let [x, y, z] = needed;
        let message = format!("the kernel asks for workgroups of {x},{y},{z} invocations, not {given:?}");
        diags.push(invalid(message).with_help(format!("give a block of {x},{y},{z}")));
    }
    let iface = &mut l.b.func.iface;
    iface.workgroup = block;
    iface.subgroup = Some(Subgroup::ThirtyTwo);
    let mut memories = Memories::default();
    for (number, param) in (0u32..).zip(&kernel.params) {
        let end = param.offset.saturating_add(param.size);
        if param.offset % 4 != 0 || end > 1 << 16 {
            let message =
                format!("parameter {number}: {} bytes at {:#x} do not lie in bank 0", param.size, param.offset);
            diags.push(invalid(message).with_help("parameters begin at multiples of 4, and end before 0x10000"));
            continue;
        }
        let words = param.size.div_ceil(4);
        let may_point = param.size == 8 && number < u32::from(u16::MAX);
        for at in (0..words).step_by(4) {
            let word = param.offset / 4 + at;
            let name = if at == 0 { format!("param[{number}]") } else { format!("param[{number}]+{}", 4 * at) };
            let default = if may_point { [0, base(number), 0, 0] } else { [0; 4] };
            l.b.func.iface.constants.push(ConstDecl {
                name,
                bank: 0,
                index: word / 4,
                comp: (word % 4) as u8,
                ty: Type::I32,
                count: (words - at).min(4) as u8,
                default: Some(default),
            });
        }
        let surface = surfaces.iter().find(|surface| may_point && u32::from(surface.handle) == param.offset / 4);
        if let Some(surface) = surface {
            let buffer = surface::declare(l, format!("param[{number}]"), surface.image);
            memories.surfaces.push((surface.handle, buffer));
        } else if may_point {
            memories.pointers.push((number, l.b.func.iface.buffers.len() as u16));
            l.b.func.iface.buffers.push(BufferDecl::new(format!("param[{number}]")));
        }
    }
    let shared = kernel.shared.saturating_add(options.shared_bytes);
    if shared > WINDOW {
        let message = format!("{shared} bytes of shared memory: at most {WINDOW} are possible");
        diags.push(invalid(message).with_help("a workgroup of Maxwell has up to 49152 bytes"));
        return memories;
    }
    memories.shared_bytes = shared;
    memories.added_shared = options.shared_bytes;
    memories
}

impl Memories {
    /// Declares the images of surfaces that are no parameters.
    pub(super) fn declare_surfaces(&mut self, l: &mut Lifter<'_>, surfaces: &[Surface]) {
        for Surface { handle, image } in surfaces {
            if !self.surfaces.iter().any(|(known, _)| known == handle) {
                self.surfaces.push((*handle, surface::declare(l, format!("surface[{handle:#x}]"), *image)));
            }
        }
    }

    /// Bytes of shared memory, as whole words.
    pub(super) fn shared_size(&self) -> u32 {
        self.shared_bytes.div_ceil(4) * 4
    }

    /// The buffer of shared memory.
    pub(super) fn shared(&mut self, l: &mut Lifter<'_>) -> u16 {
        let words = self.shared_bytes.div_ceil(4).max(1);
        *self.shared.get_or_insert_with(|| workgroup_buffer(l, "shared", words))
    }

    /// The buffer of what barriers combine.
    fn votes(&mut self, l: &mut Lifter<'_>) -> u16 {
        *self.votes.get_or_insert_with(|| workgroup_buffer(l, "barrier", 1))
    }
}

fn workgroup_buffer(l: &mut Lifter<'_>, name: &str, words: u32) -> u16 {
    let buffers = &mut l.b.func.iface.buffers;
    buffers.push(BufferDecl { workgroup: Some(words), ..BufferDecl::new(name.to_string()) });
    buffers.len() as u16 - 1
}

impl Ctx<'_, '_> {
    /// What stands in a word of bank 0 that the driver fills; `None` for others.
    pub(super) fn driver_word(&mut self, offset: i32) -> Option<Deferred> {
        self.kernel.as_ref()?;
        let block = self.l.b.func.iface.workgroup;
        let side = |first: i32| usize::try_from(offset - first).ok().filter(|side| *side < 3);
        if let 0 | 1 = offset - word::WINDOWS {
            return Some(Deferred::word(if offset == word::WINDOWS { SHARED_WINDOW } else { LOCAL_WINDOW }));
        }
        if let Some(side) = side(word::BLOCK) {
            return Some(Deferred::word(block[side]));
        }
        if let Some(side) = side(word::GRID) {
            return Some(Deferred::sys([SysVal::GridX, SysVal::GridY, SysVal::GridZ][side]));
        }
        match offset {
            word::STACK => Some(Deferred::word(self.registers.local_bytes())),
            // There is one launch, and windows of generic addresses have no high word.
            word::LAUNCH | word::LAUNCH_HIGH | word::SHARED_WINDOW_HIGH | word::LOCAL_WINDOW_HIGH => {
                Some(Deferred::word(0))
            }
            word::ADDED_SHARED => Some(Deferred::word(self.memories.added_shared)),
            _ => None,
        }
    }

    /// Whether the driver fills a word of bank 0 and no document says with what.
    pub(super) fn is_unknown_driver_word(&self, offset: i32) -> bool {
        let Some(kernel) = &self.kernel else { return false };
        let first = kernel.params.iter().map(|param| (param.offset / 4) as i32).min().unwrap_or(word::PARAMS);
        (0..first).contains(&offset)
    }

    /// A word read at an address in bank 0, or what the driver has there.
    pub(super) fn driver_word_at(&mut self, address: ValueId, mut read: ValueId) -> ValueId {
        let two = self.lit(2);
        let at = self.l.b.int(Op::Ushr, &[address, two]);
        for offset in (word::WINDOWS..=word::STACK).chain([word::ADDED_SHARED]) {
            let Some(val) = self.driver_word(offset) else { continue };
            let (value, offset) = (self.word_of(val), self.lit(offset as u32));
            let is_it = self.l.b.int(Op::Ieq, &[at, offset]);
            read = self.l.b.select(is_it, value, read);
        }
        read
    }

    /// Number of the lane in its warp; of a pixel program, in its quad.
    pub(super) fn lane(&mut self) -> ValueId {
        let value = if self.kernel.is_some() { SysVal::SubgroupLane } else { SysVal::QuadLane };
        self.l.b.read_bits(OpKind::Sys(value), &[])
    }

    /// What a kernel finds in a special register; `None` if it is not executed.
    pub(super) fn kernel_register(&mut self, number: u32) -> Option<Deferred> {
        const BEFORE: u32 = 0x39;
        Some(match number {
            0x00 => self.lane().into(),
            // The number of processors stands in bits 20 to 28.
            0x02 => Deferred::word(1 << 20),
            // The number of the warp in its workgroup, of the only processor there is.
            0x03 => {
                let [x, y, _] = self.l.b.func.iface.workgroup;
                let [own_x, own_y, own_z] = [SysVal::LocalX, SysVal::LocalY, SysVal::LocalZ]
                    .map(|value| self.l.b.read_bits(OpKind::Sys(value), &[]));
                let (rows, planes) = (self.lit(x), self.lit(x.wrapping_mul(y)));
                let (row, plane) = (self.l.b.int(Op::Imul, &[own_y, rows]), self.l.b.int(Op::Imul, &[own_z, planes]));
                let number = self.l.b.int(Op::Iadd, &[own_x, row]);
                let number = self.l.b.int(Op::Iadd, &[number, plane]);
                let (five, eight) = (self.lit(WARP.trailing_zeros()), self.lit(8));
                let warp = self.l.b.int(Op::Ushr, &[number, five]);
                self.l.b.int(Op::Shl, &[warp, eight]).into()
            }
            0x21 => Deferred::sys(SysVal::LocalX),
            0x22 => Deferred::sys(SysVal::LocalY),
            0x23 => Deferred::sys(SysVal::LocalZ),
            0x25 => Deferred::sys(SysVal::GroupX),
            0x26 => Deferred::sys(SysVal::GroupY),
            0x27 => Deferred::sys(SysVal::GroupZ),
            0x30 => Deferred::word(SHARED_WINDOW),
            0x31 => Deferred::word(WINDOW),
            0x32 => Deferred::word(self.memories.shared_bytes),
            0x34 => Deferred::word(LOCAL_WINDOW),
            0x35 => Deferred::word(WINDOW),
            0x36 => Deferred::word(self.registers.local_bytes()),
            0x38..=0x3c => {
                let (lane, one, ones) = (self.lane(), self.lit(1), self.lit(u32::MAX));
                let own = self.l.b.int(Op::Shl, &[one, lane]);
                let before = self.l.b.int(Op::Isub, &[own, one]);
                let until = self.l.b.int(Op::Ior, &[before, own]);
                match number {
                    0x38 => own,
                    BEFORE => before,
                    0x3a => until,
                    0x3b => self.l.b.int(Op::Ixor, &[until, ones]),
                    _ => self.l.b.int(Op::Ixor, &[before, ones]),
                }
                .into()
            }
            // No time passes: a clock counts how often the lane has looked at it.
            0x01 | 0x50 | 0x52 => {
                let clock = self.memories.clock?;
                let (now, one) = (self.l.read_bits(clock), self.lit(1));
                let next = self.l.b.int(Op::Iadd, &[now, one]);
                match self.guard {
                    None => self.l.set(clock, next),
                    Some(guard) => self.l.set_if(guard, clock, next),
                }
                now.into()
            }
            0x51 | 0x53 => Deferred::word(0),
            _ => return None,
        })
    }

    /// Whether the generic address in the first source, its high word in the third, leads to other memory than shared memory.
    pub(super) fn is_outside_of_shared_window(&mut self, i: Operands) -> ValueId {
        let (low, high) = (self.source(i.a()), self.source(i.c()));
        let (low, high) = (self.word_of(low), self.word_of(high));
        let (zero, window, size) = (self.lit(0), self.lit(SHARED_WINDOW), self.lit(WINDOW));
        let at = self.l.b.int(Op::Isub, &[low, window]);
        let is_inside = self.l.b.int(Op::Ult, &[at, size]);
        let is_low = self.l.b.int(Op::Ieq, &[high, zero]);
        let is_shared = self.l.b.int(Op::Pand, &[is_low, is_inside]);
        self.l.b.int(Op::Pnot, &[is_shared])
    }

    /// Whether a workgroup has more than one invocation, so that there is somebody to wait for.
    fn waits(&self) -> bool {
        self.l.b.func.iface.workgroup != [1; 3]
    }

    fn wait(&mut self) {
        if self.waits() {
            self.l.b.op(OpKind::Barrier, None, &[], &[]);
        }
    }

    /// Whether a barrier is for all invocations; else an error. Which of the barriers it is does not matter then: every
    /// invocation comes to them in the same order.
    fn is_for_all(&mut self, i: Operands) -> bool {
        let all = self.l.b.func.iface.workgroup.iter().product::<u32>();
        // Warps wait, and the last may have lanes that do not exist.
        let warps = all.next_multiple_of(WARP);
        match i.b().content {
            Content::Literal(threads) if threads != 0 && threads != all && threads != warps => {
                let why = format!(
                    "{threads} of the {all} invocations of a workgroup wait; only barriers of all are executed"
                );
                self.refuse(&why);
                false
            }
            Content::Register(number) if number != RZ => {
                let val = self.register(number);
                let known = self.l.literal(val);
                if known.is_none_or(|threads| threads != all && threads != warps) {
                    self.refuse("a register says how many threads wait; only barriers of all are executed");
                    return false;
                }
                true
            }
            _ => true,
        }
    }

    /// BAR.SYNC.
    pub(super) fn barrier(&mut self, i: Operands) {
        if self.kernel.is_none() {
            return self.refuse("only kernels have workgroups that wait");
        }
        if !self.is_for_all(i) {
            return;
        }
        if let Some(guard) = self.guard {
            self.l.begin_if(guard);
        }
        self.wait();
        if self.guard.is_some() {
            self.l.end_if();
        }
    }

    /// BAR.RED: what it combines is kept for B2R.
    pub(super) fn barrier_reduction(&mut self, i: Operands) {
        let Some(outcome) = self.memories.vote.filter(|_| self.kernel.is_some()) else {
            return self.refuse("only kernels have workgroups that wait");
        };
        if !self.is_for_all(i) {
            return;
        }
        let mode = i.get(Name::Mode);
        if mode > 2 {
            return self.refuse("a reserved mode");
        }
        let pred = self.predicate(i.get(Name::LastPredicate));
        if let Some(guard) = self.guard {
            self.l.begin_if(guard);
        }
        let votes = self.memories.votes(&mut self.l);
        let (place, zero, one) = (self.lit(0), self.lit(0), self.lit(1));
        // Nobody reads the sum of the barrier before any more; nobody adds before it is cleared; all have added.
        self.wait();
        self.l.b.op(OpKind::BufferStore { buffer: votes, atomic: true }, None, &[place, zero], &[]);
        self.wait();
        let vote = self.l.b.select(pred, one, zero);
        self.l.b.value(OpKind::Atomic { op: AtomicOp::Add, buffer: votes }, None, &[place, vote]);
        self.wait();
        let load = OpKind::BufferLoad { buffer: votes, access: Access::Atomic };
        let sum = self.l.b.value(load, None, &[place]);
        let all = self.lit(self.l.b.func.iface.workgroup.iter().product());
        let value = match mode {
            0 => sum,
            1 => {
                let holds = self.l.b.int(Op::Ieq, &[sum, all]);
                self.mask_of(holds)
            }
            _ => {
                let holds = self.l.b.int(Op::Ine, &[sum, zero]);
                self.mask_of(holds)
            }
        };
        self.l.set(outcome, value);
        if self.guard.is_some() {
            self.l.end_if();
        }
    }

    /// B2R.RESULT: what the last BAR.RED combined, and whether that is not zero.
    pub(super) fn barrier_result(&mut self, i: Operands) {
        let Some(outcome) = self.memories.vote else {
            return self.refuse("no barrier combines a predicate");
        };
        let (value, zero) = (self.l.read_bits(outcome), self.lit(0));
        let holds = self.l.b.int(Op::Ine, &[value, zero]);
        self.result(i, value);
        self.write_predicate(i.number(Name::PredicateResult), holds);
    }
}
