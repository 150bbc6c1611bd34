//! Where registers live.
//!
//! Every register that is only named by its number is a variable. Files that some group reads or writes through an index
//! register are arrays of bits, but for shared registers that are only read: those stay constants.

use super::flow::{Base, Flow};
use super::inputs::{Inputs, direct_result};
use super::lookups::COORDINATES;
use super::named::{Named, VERTEX_OUTPUTS, no_register, number_in};
use crate::group::{Group, Program};
use crate::opcode::Opcode;
use crate::operation::{Address, Operation};
use crate::register::{BANKS, Bank, FILES, NUMBERS, PLAIN, Register};
use crate::view::{Name, Source};
use parallax_core::{ArrayId, Type, ValueId};
use parallax_lift::{Access, Deferred, Lifter, Options, VarId};
use parallax_text::Diag;
use smallvec::SmallVec;

/// Registers a file can have, with base offsets.
const MOST: u16 = NUMBERS + 256;
/// Vertex inputs a program can have.
const VERTEX_INPUTS: u16 = 248;

/// Place of a bank among the files; `None` for banks that hold no state of a program.
#[inline]
pub(super) fn file(bank: Bank) -> Option<usize> {
    Some(bank as usize).filter(|file| *file < FILES)
}

/// How a file is kept.
#[derive(Copy, Clone, Debug)]
pub(super) enum File {
    /// A variable each.
    Variables(VarId),
    /// An array of words.
    Array(ArrayId),
    /// Variables for what is named by number; what is addressed is read from the constants.
    Constants(VarId),
}

/// What a program names of one file.
#[derive(Clone, Debug, Default)]
struct Use {
    /// One more than the highest number.
    count: u16,
    indexed: bool,
    written: bool,
}

/// All registers of a program.
pub(super) struct Registers {
    pub(super) files: [File; FILES],
    pub(super) counts: [u16; FILES],
    /// Variables of the files whose banks have nothing but registers, by the bank's number in the encoding: the first, and how
    /// many there are.
    plain: [(VarId, u16); PLAIN.len()],
    pub(super) p0: VarId,
    pub(super) pe: VarId,
    /// Whether the execution predicate can be anything but true.
    pub(super) masked: bool,
    pub(super) vertex_outputs: VarId,
    /// Where vertex outputs are kept if a program computes their addresses.
    pub(super) vertex_array: Option<ArrayId>,
    pub(super) depth: VarId,
    /// Shared registers that the caller presets.
    pub(super) preset_shared: Vec<(u16, Deferred)>,
    /// The groups that write outputs of pixels, by their numbers among those that can be reached.
    pub(super) pixels: SmallVec<[usize; 4]>,
}

/// Numbers of registers of a file.
struct Numbers([u64; (MOST as usize).div_ceil(64)]);

impl Default for Numbers {
    fn default() -> Self {
        Numbers([0; _])
    }
}

/// Registers that are read.
#[derive(Default)]
struct Reads {
    shared: Numbers,
    vertex: Numbers,
    /// Those that nothing fills, whatever their bank.
    others: Numbers,
}

impl Reads {
    #[inline]
    fn of(&mut self, bank: Bank) -> &mut Numbers {
        match bank {
            Bank::Shared => &mut self.shared,
            Bank::VertexInput => &mut self.vertex,
            _ => &mut self.others,
        }
    }
}

impl Numbers {
    /// Adds a number if it is to be there, and there is such a register.
    #[inline]
    fn note(&mut self, number: u16, is_there: bool) {
        if let Some(bits) = self.0.get_mut(usize::from(number / 64)) {
            *bits |= u64::from(is_there && number < MOST) << (number % 64);
        }
    }

    /// Adds `count` numbers from the first on.
    fn add(&mut self, first: u16, count: u16) {
        (first..first.saturating_add(count).min(MOST)).for_each(|number| self.note(number, true));
    }

    /// All of them in order.
    fn iter(&self) -> impl Iterator<Item = u16> {
        (0..MOST).step_by(64).zip(self.0).flat_map(|(first, mut bits)| {
            std::iter::from_fn(move || {
                let next = (bits != 0).then(|| first + bits.trailing_zeros() as u16);
                bits &= bits.wrapping_sub(1);
                next
            })
        })
    }
}

/// A store to an array, held back until everything was read.
pub(super) type Stores = SmallVec<[(ArrayId, ValueId, Deferred); 2]>;

impl Registers {
    /// Makes the registers, with their first values. `presets` are the registers whose first value the caller gives.
    pub(super) fn new(
        l: &mut Lifter<'_>,
        program: &Program,
        flow: &Flow,
        options: &Options,
        presets: &[&str],
        inputs: &mut Inputs,
        diags: &mut Vec<Diag>,
    ) -> Registers {
        let mut uses: [Use; FILES] = Default::default();
        // Those of registers that are filled before the program begins.
        let mut reads = Reads::default();
        let mut pixels: SmallVec<[usize; 4]> = SmallVec::new();
        let mut writes = |visit: usize, register: Register| {
            if register.bank == Bank::PixelOutput && pixels.last() != Some(&visit) {
                pixels.push(visit);
            }
        };
        let has_places = PLACES.iter().any(|opcode| flow.does(*opcode));
        for (visit, (_, group, base)) in flow.groups(program).enumerate() {
            if base == Base::default() && !(has_places && names_places(group)) {
                // What nearly all groups are, with less ceremony.
                let count = u16::from(group.head.repeat);
                for (code, written) in group.codes() {
                    let (bank, number) = Register::halves(code);
                    let Some(bank) = PLAIN[bank] else {
                        let register = Register::decode(code);
                        note(register, repeated(group, register), written, &mut uses);
                        if written {
                            writes(visit, register);
                        }
                        continue;
                    };
                    // Without branches, as nobody can tell which bank comes next.
                    let used = &mut uses[bank as usize];
                    used.count = used.count.max(number + count);
                    used.written |= written;
                    for k in 0..count {
                        reads.of(bank).note(number.saturating_add(k), !written);
                    }
                }
                continue;
            }
            each_read(group, |register, count| {
                let register = base.apply(register);
                note(register, count, false, &mut uses);
                match (register.bank, register.index) {
                    // Any of them may be read.
                    (Bank::VertexInput, Some(_)) => reads.of(Bank::VertexInput).add(0, VERTEX_INPUTS),
                    (bank, None) => reads.of(bank).add(register.number, count),
                    _ => {}
                }
            });
            each_write(group, |register, count| {
                note(base.apply(register), count, true, &mut uses);
                writes(visit, register);
            });
        }
        for name in options.watch.iter().map(String::as_str).chain(presets.iter().copied()) {
            if let Some(Named::Register(register)) = Named::of(name) {
                note(register, 1, false, &mut uses);
            }
        }
        let mut files = [File::Variables(l.add_variables(0)); FILES];
        for (at, used) in uses.iter().enumerate() {
            let shared = BANKS[at].bank == Bank::Shared;
            if shared && used.indexed && used.written {
                let message = "shared registers are written, and read or written through an index register";
                let diag = Diag::unsupported("shared-written", Default::default(), message);
                diags.push(Diag { span: None, ..diag }.with_help("keep what is written in temporaries"));
            }
            files[at] = match used.indexed {
                true if shared => File::Constants(l.add_variables(u32::from(used.count))),
                true => File::Array(l.add_array(BANKS[at].name.into(), Type::I32, u32::from(NUMBERS), false)),
                false => File::Variables(l.add_variables(u32::from(used.count))),
            };
        }
        let counts = uses.map(|used| used.count);
        let plain = PLAIN.map(|bank| match bank.map(|bank| (files[bank as usize], counts[bank as usize])) {
            Some((File::Variables(first), count)) => (first, count),
            _ => (l.add_variables(0), 0),
        });
        let masked = presets.contains(&"pe") || flow.is_masked();
        let names_outputs = flow.does(Opcode::Uvsw) || !presets.is_empty() || !options.watch.is_empty();
        let mut registers = Registers {
            files,
            counts,
            plain,
            p0: l.add_variables(1),
            pe: l.add_variables(1),
            masked,
            vertex_outputs: l.add_variables(if names_outputs { VERTEX_OUTPUTS } else { 0 }),
            vertex_array: None,
            depth: l.add_variables(1),
            preset_shared: Vec::new(),
            pixels,
        };
        l.set(registers.pe, Deferred::word(1));
        if flow.does(Opcode::Uvsw) && flow.groups(program).any(|(_, group, _)| computes_address(group)) {
            registers.vertex_array = Some(l.add_array("vo".into(), Type::I32, VERTEX_OUTPUTS, false));
        }
        registers.first_values(l, &reads, presets, inputs);
        for name in presets {
            registers.preset(l, name, diags);
        }
        registers
    }

    /// Uniforms and vertex inputs that are read by number.
    fn first_values(&mut self, l: &mut Lifter<'_>, reads: &Reads, presets: &[&str], inputs: &mut Inputs) {
        let given = |bank: Bank, number: u16| presets.iter().any(|name| number_in(bank, name) == Some(number));
        for number in reads.shared.iter().filter(|number| !given(Bank::Shared, *number)) {
            let val = Inputs::uniform(l, number);
            self.set_first(l, Bank::Shared, number, val);
        }
        for number in reads.vertex.iter().filter(|number| !given(Bank::VertexInput, *number)) {
            let val = inputs.vertex(l, number);
            self.set_first(l, Bank::VertexInput, number, val);
        }
    }

    /// The variable of a register by its code; `None` where there is more to it than its number.
    #[inline]
    pub(super) fn variable(&self, code: u16) -> Option<VarId> {
        let (bank, number) = Register::halves(code);
        let (first, count) = self.plain[bank];
        (number < count).then(|| first.offset(number.into()))
    }

    fn set_first(&mut self, l: &mut Lifter<'_>, bank: Bank, number: u16, val: Deferred) {
        match file(bank).map(|at| (self.files[at], self.counts[at])) {
            Some((File::Variables(first) | File::Constants(first), count)) if number < count => {
                l.set(first.offset(number.into()), val);
            }
            Some((File::Array(array), _)) => {
                let index = l.b.i32(number.into());
                l.store(array, index, val);
            }
            _ => {}
        }
    }

    /// What a register that is named by its number holds.
    pub(super) fn plain(&self, l: &mut Lifter<'_>, bank: Bank, number: u16) -> Deferred {
        match file(bank).map(|at| (self.files[at], self.counts[at])) {
            Some((File::Variables(first) | File::Constants(first), count)) if number < count => {
                l.get(first.offset(number.into()))
            }
            Some((File::Array(array), _)) => {
                let index = l.b.i32(number.into());
                l.load(array, index)
            }
            _ => Deferred::word(0),
        }
    }

    fn preset(&mut self, l: &mut Lifter<'_>, name: &str, diags: &mut Vec<Diag>) {
        let Some(named) = Named::of(name) else {
            diags.push(no_register(Access::Preset, name));
            return;
        };
        let predicate = match named {
            Named::Register(Register { bank: Bank::Constant, .. }) => {
                diags.push(Access::Preset.refuse(
                    name,
                    "it is a constant",
                    "constants are c0 to c31, c64 to c95, c128 to c159",
                ));
                return;
            }
            Named::Register(register) => {
                let [val, ..] = l.preset_attr(name);
                self.set_first(l, register.bank, register.number, val);
                if register.bank == Bank::Shared {
                    self.preset_shared.push((register.number, val));
                }
                return;
            }
            Named::VertexOutput(number) => {
                let [val, ..] = l.preset_attr(name);
                match self.vertex_array {
                    Some(array) => {
                        let at = l.b.i32(number);
                        l.store(array, at, val);
                    }
                    None => l.set(self.vertex_outputs.offset(number), val),
                }
                return;
            }
            Named::P0 => self.p0,
            Named::Pe => self.pe,
        };
        let [val, ..] = l.preset_attr(name);
        let bits = l.force(val, Type::I32);
        let value = l.convert(bits, Type::Pred);
        l.set(predicate, value);
    }
}

/// Notes that a program names `count` registers from this one on.
fn note(register: Register, count: u16, written: bool, uses: &mut [Use; FILES]) {
    let Some(at) = file(register.bank) else { return };
    let used = &mut uses[at];
    used.written |= written;
    used.count = used.count.max(register.number.saturating_add(count).min(MOST));
    if let Some(index) = register.index {
        used.indexed = true;
        let index = Register { bank: Bank::Index, number: index.into(), index: None };
        note(index, 1, false, uses);
    }
}

/// How many registers an iterated group names in the place of one.
fn repeated(group: &Group, register: Register) -> u16 {
    if register.advances() { group.head.repeat.into() } else { 1 }
}

/// Operations that have operands besides the group's sources and outputs, or sources that are places and no values.
const PLACES: [Opcode; 7] =
    [Opcode::Ditr, Opcode::Fitr, Opcode::Fitrp, Opcode::Itrsmp, Opcode::Smp, Opcode::Sop, Opcode::WideSum];

/// Whether a group has such an operation.
fn names_places(group: &Group) -> bool {
    group.wide().is_some() || group.operations.iter().any(|operation| PLACES.contains(&operation.opcode()))
}

/// The registers a group reads, and how many from each on.
fn each_read(group: &Group, mut read: impl FnMut(Register, u16)) {
    let does = |all: &[Opcode]| group.operations.iter().any(|operation| all.contains(&operation.opcode()));
    let (samples, iterates) = (does(&[Opcode::Smp]), does(&[Opcode::Fitr, Opcode::Fitrp]));
    // What state a lookup names is no value, and where results go is not read.
    let alone = group.operations.len() == 1;
    // Where no source is read, and where the constant 0 is, there is nothing to keep.
    for n in (0..6).filter(|n| group.source_code(*n) != 0) {
        let register = group.source(n);
        match n {
            0 | 2 | 4 if samples && alone => {}
            1 if samples => read(register, COORDINATES),
            0 | 2 | 3 if iterates && !samples && alone => {}
            _ => read(register, repeated(group, register)),
        }
    }
    for register in group.read_by_sums() {
        read(register, repeated(group, register));
    }
}

/// The registers a group writes, and how many from each on.
fn each_write(group: &Group, mut write: impl FnMut(Register, u16)) {
    [0, 1].into_iter().filter_map(|n| group.output(n)).for_each(|register| write(register, repeated(group, register)));
    for operation in &group.operations {
        let result = group.source(operation.source(Source::Result));
        match operation.opcode() {
            Opcode::Smp => write(result, 4),
            Opcode::Fitr | Opcode::Fitrp => write(result, operation.count() as u16),
            Opcode::Ditr => write(direct_result(operation), operation.count() as u16),
            Opcode::Itrsmp => write(direct_result(operation), operation.get(Name::Channels) as u16 + 1),
            _ => {}
        }
    }
}

/// Whether a group writes a vertex output whose address only the program's run tells.
fn computes_address(group: &Group) -> bool {
    group.operations.iter().filter_map(Operation::written).any(|address| match address {
        Address::Source(n) => group.source(n.into()).constant().is_none(),
        Address::Literal(_) => false,
    })
}
