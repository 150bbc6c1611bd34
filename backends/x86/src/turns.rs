//! Lanes that take turns: code for one turn after the other.
//!
//! A turn is a row of lanes, or a quad, with a *frame* that the host makes: which lanes run, and where they go on. A turn ends at
//! the end of the shader or stops at a barrier, where all that lives over it moves to the frame. Once every turn is there the host
//! has the code called again, and all of them go on behind it. Where lanes of several blocks exchange something, their turns stop
//! likewise, and the host looks at what they left in their frames ([`crate::exchange`]).

use crate::asm::{Asm, Target};
use crate::emit::{Emitter, Patterns};
use crate::groups::shares_fuel;
use crate::layout::{self, ENDED, FRAME_FUEL_UNIFORM, FRAME_LANE, FRAME_NEXT};
use parallax_lane::{Function, Op, Reg};

/// Places of the code, and what lives over each stop.
pub(crate) struct Turns<'a> {
    kept: &'a [Vec<Reg>],
    /// Behind each stop.
    behind: Vec<Target>,
    /// Where the next turn is looked for.
    next: Target,
    /// Whether one number of back edges stands for all lanes of a whole workgroup.
    pub(crate) share_fuel: bool,
}

impl<'a> Turns<'a> {
    pub(crate) fn new(asm: &mut Asm, function: &Function, kept: &'a [Vec<Reg>]) -> Turns<'a> {
        let share_fuel = shares_fuel(function);
        Turns { kept, behind: kept.iter().map(|_| asm.target()).collect(), next: asm.target(), share_fuel }
    }

    /// Behind a stop.
    pub(crate) fn behind(&self, number: usize) -> Target {
        self.behind[number]
    }
}

impl<L> Emitter<'_, L>
where
    Self: Patterns,
{
    /// Every turn starts here: the first one, and others at `turn`. It goes on where its frame says.
    pub(crate) fn start_turn(&mut self, turn: Target) {
        let asm = &mut self.asm;
        // mov r15, [frames]
        asm.at_arena(&[0x4c, 0x8b, 0xbb], layout::FRAMES);
        asm.place(turn);
        // mov r12, [r15 + lane]; mov r13, r12; shr r13, 3
        asm.bytes(&[0x4d, 0x8b, 0x67, FRAME_LANE as u8, 0x4d, 0x89, 0xe5, 0x49, 0xc1, 0xed, 0x03]);
        if self.turns.behind.is_empty() {
            return;
        }
        // mov eax, [r15 + next]
        asm.bytes(&[0x41, 0x8b, 0x47, FRAME_NEXT as u8]);
        for (number, &behind) in (1u32..).zip(&self.turns.behind) {
            // cmp eax, number; je
            asm.bytes(&[0x3d]);
            asm.bytes(&number.to_le_bytes());
            asm.jump(&[0x0f, 0x84], behind);
        }
        // test eax, eax; jnz
        asm.bytes(&[0x85, 0xc0]);
        asm.jump(&[0x0f, 0x85], self.turns.next);
    }

    /// Says where the turn goes on.
    fn set_next(&mut self, next: u32) {
        // mov dword [r15 + next], next
        self.asm.bytes(&[0x41, 0xc7, 0x47, FRAME_NEXT as u8]);
        self.asm.bytes(&next.to_le_bytes());
    }

    /// The turn has ended: the next one, if there is one, starts at `turn`.
    pub(crate) fn end_turn(&mut self, turn: Target) {
        if !self.turns.behind.is_empty() {
            self.set_next(ENDED);
        }
        let asm = &mut self.asm;
        asm.place(self.turns.next);
        // add r15, size; cmp r15, [end]; jb turn
        asm.at_arena(&[0x49, 0x81, 0xc7], self.layout.frame.size);
        asm.at_arena(&[0x4c, 0x3b, 0xbb], layout::FRAMES_END);
        asm.jump(&[0x0f, 0x82], turn);
    }

    /// Everything that lives over a stop goes to the frame, and what is exchanged there; then it is somebody else's turn. Behind it
    /// all of that comes back.
    pub(crate) fn stop(&mut self, number: usize, uses: &[Reg], defs: &[Reg]) {
        let (exchange, line) = (self.layout.frame.exchange, Self::LEVEL.line());
        self.wait(uses[0]);
        self.keep(number, true);
        for (n, &reg) in uses[1..].iter().enumerate() {
            self.store_lanes(reg, exchange + n * line);
        }
        self.set_next(number as u32 + 1);
        self.asm.jump(&[0xe9], self.turns.next);
        self.asm.place(self.turns.behind[number]);
        self.keep(number, false);
        for (n, &reg) in defs.iter().enumerate() {
            self.load_lanes(reg, exchange + n * line);
        }
    }

    /// An instruction has set registers: those that stay in the frame go there.
    pub(crate) fn bring_to_frame(&mut self, defs: &[Reg]) {
        for &reg in defs {
            if let Some(&(at, true)) = self.layout.frame.framed.get(&reg) {
                self.move_lanes(reg, at, true);
            }
        }
    }

    /// Brings the value of each block to its frame at an offset, or back; what blocks share is in the frame of the first one.
    fn move_lanes(&mut self, reg: Reg, at: usize, to_frame: bool) {
        let blocks = if self.locations.is_shared(reg) { 1 } else { self.blocks };
        for block in 0..blocks {
            self.turn_to(block);
            let at = at + block * self.layout.frame.size;
            if to_frame { self.store_lanes(reg, at) } else { self.load_lanes(reg, at) }
        }
        self.turn_to(0);
    }

    /// Brings what lives over a stop to the frame, or back.
    pub(crate) fn keep(&mut self, number: usize, to_frame: bool) {
        let fuel = |wanted: fn(&Op) -> bool| self.function.body.code.iter().any(|inst| wanted(&inst.op));
        if fuel(|op| matches!(op, Op::Fuel(_))) {
            self.move_fuel(to_frame);
        } else if self.function.group.is_none() && fuel(|op| matches!(op, Op::FuelUniform(..))) {
            let asm = &mut self.asm;
            // mov eax, [fuel]; mov [r15 + fuel], eax; or back
            if to_frame {
                asm.at_arena(&[0x8b, 0x83], layout::FUEL);
                asm.bytes(&[0x41, 0x89, 0x47, FRAME_FUEL_UNIFORM as u8]);
            } else {
                asm.bytes(&[0x41, 0x8b, 0x47, FRAME_FUEL_UNIFORM as u8]);
                asm.at_arena(&[0x89, 0x83], layout::FUEL);
            }
        }
        let kept = self.turns.kept;
        for &reg in &kept[number] {
            match (to_frame, self.layout.frame.framed.get(&reg)) {
                (true, Some(&(at, false))) => self.move_lanes(reg, at, true),
                (false, Some(&(at, _))) => self.move_lanes(reg, at, false),
                _ => {}
            }
        }
        let Some((start, words)) = self.layout.words_of_arrays() else { return };
        let (arrays, asm) = (self.layout.frame.arrays, &mut self.asm);
        if to_frame {
            // lea rsi, [start]; lea rdi, [r15 + arrays]
            asm.at_arena(&[0x48, 0x8d, 0xb3], start);
            asm.at_arena(&[0x49, 0x8d, 0xbf], arrays);
        } else {
            // lea rsi, [r15 + arrays]; lea rdi, [start]
            asm.at_arena(&[0x49, 0x8d, 0xb7], arrays);
            asm.at_arena(&[0x48, 0x8d, 0xbb], start);
        }
        // mov ecx, words; rep movsq
        asm.at_arena(&[0xb9], words);
        asm.bytes(&[0xf3, 0x48, 0xa5]);
    }
}
