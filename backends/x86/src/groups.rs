//! Turns of whole workgroups. Every turn stops at the same places and takes as many back edges as the others, so the code itself goes
//! from turn to turn: what is between two stops, or a stop and an end, is a loop over the blocks of the workgroup.

use crate::asm::Target;
use crate::emit::{Cold, Emitter, Patterns};
use crate::layout;
use crate::memory;
use parallax_core::SysVal;
use parallax_core::exec::{Inputs, Memory};
use parallax_lane::{Function, Op};

/// What the code of a program for workgroups takes for granted.
#[derive(Clone, Debug)]
pub(crate) struct Granted {
    lanes: usize,
    /// Where each lane is in the workgroup, of the system values that the code reads.
    places: Vec<(SysVal, Vec<u32>)>,
    /// Buffers that accesses are not checked for, and how many words those have.
    words: Vec<(u16, usize)>,
}

impl Granted {
    /// That of a function; `shared_words`: of each buffer the words that every workgroup has of it.
    pub(crate) fn of(function: &Function, systems: &[SysVal], shared_words: &[Option<u32>]) -> Option<Granted> {
        let [x, y, z] = function.group?.size;
        let lanes = x * y * z;
        let row = |value: &SysVal| -> Option<(SysVal, Vec<u32>)> {
            let place = |lane: u32| match value {
                SysVal::LocalX => Some(lane % x),
                SysVal::LocalY => Some(lane / x % y),
                SysVal::LocalZ => Some(lane / x / y),
                _ => None,
            };
            Some((*value, (0..lanes).map(place).collect::<Option<Vec<u32>>>()?))
        };
        let unchecked = function.sites.iter().filter(|site| site.stride.is_some_and(|stride| stride.is_inside));
        let needed = |buffer: u16| Some((buffer, shared_words.get(usize::from(buffer)).copied()?? as usize));
        let mut words: Vec<(u16, usize)> = unchecked.filter_map(memory::buffer).filter_map(needed).collect();
        words.sort_unstable();
        words.dedup();
        Some(Granted { lanes: lanes as usize, places: systems.iter().filter_map(row).collect(), words })
    }

    /// Whether a batch is a whole workgroup, all of it covered, with as much memory as the interface says.
    pub(crate) fn holds(&self, inputs: &Inputs<'_>, memory: &mut Memory<'_>) -> bool {
        let lanes = self.lanes;
        inputs.lanes == lanes
            && inputs.covered.get(..lanes).is_some_and(|flags| flags.iter().fold(true, |all, &flag| all & flag))
            && self.places.iter().all(|(value, places)| {
                inputs.sysvals.get(*value as usize * lanes..).and_then(|rows| rows.get(..lanes)) == Some(places)
            })
            && self
                .words
                .iter()
                .all(|&(buffer, needed)| memory.words_mut(buffer).is_some_and(|words| words.len() >= needed))
    }
}

/// Whether all lanes have the same number of back edges left at every stop, so that one number stands for them.
pub(crate) fn shares_fuel(function: &Function) -> bool {
    let mut spends = false;
    for inst in &function.body.code {
        match inst.op {
            Op::Fuel(_) => return false,
            Op::FuelUniform(..) | Op::Spend(..) => spends = true,
            _ => {}
        }
    }
    spends
}

impl<L> Emitter<'_, L>
where
    Self: Patterns,
{
    /// The first turn of a workgroup, and others at `turn`.
    pub(crate) fn start_group(&mut self, turn: Target) {
        self.first_turn();
        if self.function.stops > 0 {
            self.resume_at(turn);
        }
        self.load_pointers();
        self.asm.place(turn);
    }

    /// From here on the code is that of the first turn.
    fn first_turn(&mut self) {
        if self.function.stops > 0 {
            // mov r15, [frames]
            self.asm.at_arena(&[0x4c, 0x8b, 0xbb], layout::FRAMES);
        }
        // xor r12d, r12d; xor r13d, r13d
        self.asm.bytes(&[0x45, 0x31, 0xe4, 0x45, 0x31, 0xed]);
    }

    /// Other turns go on there.
    fn resume_at(&mut self, place: Target) {
        // lea rax, [place]; mov [resume], rax
        self.asm.jump(&[0x48, 0x8d, 0x05], place);
        self.asm.at_arena(&[0x48, 0x89, 0x83], layout::RESUME);
    }

    /// From here on the code is that of the next turn; goes elsewhere if there is none.
    fn next_turn(&mut self, none: Target) {
        let lanes = (Self::LEVEL.lanes() * self.blocks) as u8;
        let all: u32 = self.function.group.map_or(0, |group| group.size.iter().product());
        let asm = &mut self.asm;
        if self.function.stops > 0 {
            // add r15, size
            asm.at_arena(&[0x49, 0x81, 0xc7], self.layout.frame.size * self.blocks);
        }
        // add r12, lanes; add r13, their bytes of bits; cmp r12d, all; jae
        asm.bytes(&[0x49, 0x83, 0xc4, lanes, 0x49, 0x83, 0xc5, lanes / 8]);
        asm.bytes(&[0x41, 0x81, 0xfc]);
        asm.bytes(&all.to_le_bytes());
        asm.jump(&[0x0f, 0x83], none);
    }

    /// Every turn gets here before any goes on behind it.
    pub(crate) fn stop_group(&mut self, number: usize) {
        let (last, behind) = (self.asm.target(), self.turns.behind(number));
        self.keep(number, true);
        self.next_turn(last);
        if self.turns.share_fuel {
            // mov eax, [fuel of the workgroup]; mov [fuel], eax
            self.asm.at_arena(&[0x8b, 0x83], layout::FUEL_OF_GROUP);
            self.asm.at_arena(&[0x89, 0x83], layout::FUEL);
        }
        // jmp [resume]
        self.asm.at_arena(&[0xff, 0xa3], layout::RESUME);
        self.asm.place(behind);
        self.set_aside(Cold::LastTurn(number), last, behind);
        self.keep(number, false);
    }

    /// The last turn has got to a stop: all of them go on behind it.
    pub(crate) fn last_turn(&mut self, number: usize) {
        let behind = self.turns.behind(number);
        self.resume_at(behind);
        if self.turns.share_fuel {
            self.asm.at_arena(&[0x8b, 0x83], layout::FUEL);
            self.asm.at_arena(&[0x89, 0x83], layout::FUEL_OF_GROUP);
        }
        self.first_turn();
    }

    /// A turn has ended: the next one, if there is one, goes on where this one did.
    pub(crate) fn end_group(&mut self, turn: Target) {
        let none = self.asm.target();
        self.next_turn(none);
        if self.function.stops > 0 {
            if self.turns.share_fuel {
                self.asm.at_arena(&[0x8b, 0x83], layout::FUEL_OF_GROUP);
                self.asm.at_arena(&[0x89, 0x83], layout::FUEL);
            }
            self.asm.at_arena(&[0xff, 0xa3], layout::RESUME);
        } else {
            self.asm.jump(&[0xe9], turn);
        }
        self.asm.place(none);
    }
}
