//! What lane form consists of.

use parallax_core::{OpKind, SysVal, TexMode, TexOp, TexTarget};
use parallax_num::{Grid, Round, Slot};
use parallax_step::{Call, Mode, OpNumber, Prim, Ty};

/// Number of a virtual register.
pub type Reg = u32;
/// Number of a place in the code that is jumped to.
pub type Label = u32;

/// Kind of a register.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// 32 bits for each lane of a block, or 64 bits for each lane of half a block.
    Vector,
    /// Whether something is true, for each lane of a block.
    Mask,
}

/// What never changes during a batch: registers that stand for it take no room, uses read memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The same 32 bits in every lane.
    Bits32(u32),
    /// The same 64 bits in every lane.
    Bits64(u64),
    /// A word of a constant bank, by its number in [`Function::uniforms`].
    Uniform(u32),
    /// A vector that the prologue kept.
    KeptVector(u32),
    /// A mask that the prologue kept.
    KeptMask(u32),
    /// 0, 1, 2, 3 in the lanes of each quad.
    QuadLane,
    /// Where the two rows of pixels of a row of quads are in the window: binary32, not negative.
    PixelY,
}

/// A virtual register.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RegData {
    /// Kind.
    pub class: Class,
    /// What it stands for, if that never changes.
    pub source: Option<Source>,
}

/// Which lanes of 64-bit values an instruction is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All: one register of 32-bit values, or both halves of 64-bit ones.
    Whole,
    /// The lower half of the lanes.
    Low,
    /// The upper half of the lanes.
    High,
}

/// What an instruction does. Operands in the order given; masks that say which lanes act come first.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Op {
    /// A primitive at a type, with its immediate. 64-bit operands of [`Part::Whole`] are two registers each. `first` has
    /// its NaN as second operand; `select` of two operands gives zero where its mask is false; a third operand of `fmulz` has all
    /// bits but the sign, or none where the factor that all lanes share is a zero.
    Step(Prim, Ty, u64, Part),
    /// The operand.
    Move,
    /// `mask, value, old`: the value where the mask is true, elsewhere what was there. Result and `old` are one register.
    Merge(Part),
    /// Mask: the first operand without the second.
    Without,
    /// The value of the lane whose number in the quad differs by these bits.
    QuadXor(u8, Part),
    /// `value, lane`: the value of that lane of the quad.
    QuadShuffle(Part),
    /// `mask, predicate`: whether the predicate is true in any (`all`: in all) of the quad's lanes in the mask.
    Vote {
        /// All instead of any.
        all: bool,
    },
    /// All ones in lanes that were not covered at the start.
    HelperLanes,
    /// Where pixels are in the window, along a row: binary32, not negative.
    PixelX,
    /// `x, y`: an attribute component, `attribute * 4 + component`: its row, or what it is at that place of the window,
    /// `fma(dady, y, fma(dadx, x, a0))` to nearest, as whoever runs the code says. Without operands its row.
    Attr(u32),
    /// A system value that the caller gives.
    System(SysVal),
    /// Sets an output component; operands: the lanes that write if `masked`, the value.
    Out {
        /// `output * 4 + component`.
        plane: u32,
        /// Bits of its words.
        bits: u32,
        /// Type of the value.
        ty: Ty,
        /// Whether the first operand says which lanes write.
        masked: bool,
    },
    /// Takes so much fuel from the lanes of the mask; gives those that had as much. The others have none left.
    Fuel(u32),
    /// `mask, predicate`: removes lanes from coverage.
    Discard,
    /// Lanes that run in this turn, where lanes take turns.
    Turn,
    /// Waits for all lanes of the workgroup; operand: the lanes that do. Its number is that of a stop.
    Barrier(u32),
    /// Waits for the lanes of the subgroup, which has more than a block, and exchanges something with them; operands: the lanes that
    /// execute, what is exchanged. Its number is that of a stop.
    Exchange(Exchange, u32),
    /// In the prologue: keeps a register for the blocks.
    Keep(Source),
    /// A place that is jumped to.
    Label(Label),
    /// Goes on there.
    Jump(Label),
    /// Goes on there if the mask is true in no lane.
    JumpUnlessAny(Label),
    /// Goes on there if the mask is true in any lane.
    JumpIfAny(Label),
    /// Takes so much fuel from the lanes of the mask, which all have the same. If that is too little they have none left, and go on there.
    FuelUniform(Label, u32),
    /// Takes the fuel of several back edges at once from all lanes, which all have the same; goes on there, with all of it, if that is less.
    Spend(Label, u32),
    /// From here on this is how the processor rounds, and whether it flushes tiny results.
    Mode(Mode),
    /// What is done outside of the code: a [`Site`].
    Call(u32),
}

/// What the lanes of a subgroup exchange. A lane is active where it executes and is covered.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Exchange {
    /// `value, lane`: the value of this type that the lane with that number holds if it is active, else zero bits.
    Shuffle(Ty),
    /// `predicate`: a bit for each active lane where it is true, of lanes 32 times this number on.
    Ballot(u8),
    /// Whether any lane executes, in all lanes.
    Any,
    /// Nothing: what comes next happens in all blocks before anything else does.
    Nothing,
}

impl Op {
    /// The stop of a turn that this is, by its number.
    pub fn stop(self) -> Option<u32> {
        match self {
            Op::Barrier(number) | Op::Exchange(_, number) => Some(number),
            _ => None,
        }
    }

    /// The label that it is or may jump to.
    pub(crate) fn label_mut(&mut self) -> Option<&mut Label> {
        match self {
            Op::Label(label) | Op::Jump(label) | Op::JumpUnlessAny(label) | Op::JumpIfAny(label) => Some(label),
            Op::FuelUniform(label, _) | Op::Spend(label, _) => Some(label),
            _ => None,
        }
    }

    /// The place that it may jump to.
    pub(crate) fn jumps_to(self) -> Option<Label> {
        match self {
            Op::Jump(label) | Op::JumpUnlessAny(label) | Op::JumpIfAny(label) => Some(label),
            Op::FuelUniform(label, _) | Op::Spend(label, _) => Some(label),
            _ => None,
        }
    }

    /// Whether code jumps from it or to it, or stops there.
    pub(crate) fn is_jump(self) -> bool {
        matches!(self, Op::Label(_)) || self.jumps_to().is_some() || self.stop().is_some()
    }

    /// Whether its result is written while operands are still to be read.
    pub fn is_early(self) -> bool {
        matches!(self, Op::Step(Prim::First, ..) | Op::Fuel(_) | Op::Attr(_))
    }
}

/// An instruction: its operands stand in the stream.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Op of the step form that it comes from.
    pub origin: OpNumber,
    start: u32,
    uses: u16,
    defs: u16,
}

/// Instructions in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// Instructions.
    pub code: Vec<Inst>,
    operands: Vec<Reg>,
}

impl Stream {
    /// None, with room for some instructions.
    pub(crate) fn with_room(count: usize) -> Stream {
        Stream { code: Vec::with_capacity(count), operands: Vec::with_capacity(3 * count) }
    }

    /// Adds an instruction.
    pub fn push(&mut self, op: Op, uses: &[Reg], defs: &[Reg], origin: OpNumber) {
        let start = self.operands.len() as u32;
        self.operands.extend(uses.iter().chain(defs));
        self.code.push(Inst { op, origin, start, uses: uses.len() as u16, defs: defs.len() as u16 });
    }

    /// Adds an instruction whose `uses` operands stand before its results.
    #[inline]
    pub(crate) fn push_list(&mut self, op: Op, registers: &[Reg], uses: usize, origin: OpNumber) {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(registers);
        let defs = (registers.len() - uses) as u16;
        self.code.push(Inst { op, origin, start, uses: uses as u16, defs });
    }

    /// Registers that an instruction reads, and those that it sets.
    #[inline]
    pub fn parts(&self, inst: &Inst) -> (&[Reg], &[Reg]) {
        self.operands(inst).split_at(usize::from(inst.uses))
    }

    /// Registers that an instruction reads, then those that it sets.
    #[inline]
    pub(crate) fn operands(&self, inst: &Inst) -> &[Reg] {
        &self.operands[inst.start as usize..][..usize::from(inst.uses) + usize::from(inst.defs)]
    }

    /// Registers that an instruction reads.
    #[inline]
    pub fn uses(&self, inst: &Inst) -> &[Reg] {
        &self.operands[inst.start as usize..][..usize::from(inst.uses)]
    }

    /// Registers that an instruction sets.
    #[inline]
    pub fn defs(&self, inst: &Inst) -> &[Reg] {
        &self.operands[inst.start as usize + usize::from(inst.uses)..][..usize::from(inst.defs)]
    }

    /// Names all registers anew, in the order in which instructions name them, and forgets the operands that dropped
    /// instructions left behind.
    pub(crate) fn rename(&mut self, mut name: impl FnMut(Reg) -> Reg) {
        let Stream { code, operands } = self;
        let mut next = 0;
        for inst in code {
            let from = std::mem::replace(&mut inst.start, next as u32) as usize;
            for at in from..from + usize::from(inst.uses) + usize::from(inst.defs) {
                operands[next] = name(operands[at]);
                next += 1;
            }
        }
        operands.truncate(next);
    }

    /// Drops the last instruction if it jumps to a place, which is to stand next; where it is jumped over to that place, the jump over
    /// it becomes a jump the other way.
    pub(crate) fn drop_jump(&mut self, to: Label) {
        self.code.pop_if(|last| last.op == Op::Jump(to));
        if let [.., Inst { op: over @ Op::JumpUnlessAny(_), .. }, Inst { op: Op::Jump(other), .. }] = &mut self.code[..]
            && *over == Op::JumpUnlessAny(to)
        {
            *over = Op::JumpIfAny(*other);
            self.code.pop();
        }
    }

    /// Replaces an operand of the last instruction.
    pub(crate) fn set_use(&mut self, n: usize, reg: Reg) {
        if let Some(last) = self.code.last() {
            self.operands[last.start as usize + n] = reg;
        }
    }

    /// Replaces the instructions by others with the same operands.
    pub(crate) fn set_code(&mut self, code: Vec<Inst>) {
        self.code = code;
    }

    /// An instruction without operands.
    pub(crate) fn bare(op: Op, origin: OpNumber) -> Inst {
        Inst { op, origin, start: 0, uses: 0, defs: 0 }
    }
}

/// What a [`Op::Call`] is about.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum SiteKind {
    /// An operation in slow lanes; operands: their mask, then those of the operation, then the result, which is changed.
    Redo(u32),
    /// An operation without step program in all lanes.
    Call(u32),
    /// An op of the IR; the first operand is the mask of executing lanes.
    Ir(OpKind),
}

/// How many bytes the address of each lane of a block is behind that of the one before: where code may look for lanes that have one
/// word in common, or words side by side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stride {
    /// Bytes, modulo 2^32.
    pub bytes: u32,
    /// Whether that is sure where the lanes of each block are neighbours along x; else it is likely.
    pub is_exact: bool,
    /// What is added to the operand that stands for the address.
    pub offset: u32,
    /// Whether the address is surely a multiple of four.
    pub is_aligned: bool,
    /// Whether the words of all lanes are surely in the buffer.
    pub is_inside: bool,
    /// Whether all lanes surely make the access.
    pub is_by_all: bool,
}

/// A place where the code calls out. Each value of a 64-bit type is two registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// What is done.
    pub kind: SiteKind,
    /// Types of the operands of the operation.
    pub args: Vec<Ty>,
    /// Types of the results.
    pub results: Vec<Ty>,
    /// Of an access to a buffer how the addresses of the lanes of a block lie, if that is known.
    pub stride: Option<Stride>,
}

impl Site {
    /// The lookup it is, if code may do that itself: filtered, of flat images. Operands: the lanes that execute, s, t, r, q.
    pub fn lookup(&self) -> Option<TexOp> {
        match self.kind {
            SiteKind::Ir(OpKind::Tex(tex)) => {
                let filtered = matches!(tex.mode, TexMode::Implicit | TexMode::Bias | TexMode::Level | TexMode::Grad);
                let flat = matches!(tex.target, TexTarget::D2 | TexTarget::Rect);
                // Processors have instructions for these directions.
                let snaps = match tex.rule.linear {
                    Grid::Binary32 => true,
                    Grid::Fixed { round, .. } => !matches!(round, Round::NearestAway | Round::Away),
                };
                (filtered && flat && snaps && !tex.bits).then_some(tex)
            }
            _ => None,
        }
    }
}

/// Which lanes run together where a shader writes memory or waits: the others have their turns before and after.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Those of a quad, or of a subgroup that is wider.
    Quads,
    /// Those of a block, if they are neighbours along x: of one row of the workgroup, each one further. Else as `Quads`.
    Rows,
    /// Those of a block.
    Blocks,
}

impl Turns {
    /// All of them.
    pub const ALL: [Turns; 3] = [Turns::Quads, Turns::Rows, Turns::Blocks];

    /// Spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Turns::Quads => "quads",
            Turns::Rows => "rows",
            Turns::Blocks => "blocks",
        }
    }
}

/// A workgroup that code is made for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Invocations along x, y and z.
    pub size: [u32; 3],
    /// How many blocks one behind the other, which divide the workgroup, nobody can tell to be interleaved: all lanes go the same way. 1
    /// if none can be.
    pub interleaved: u32,
}

/// A shader in lane form.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Name, for listings.
    pub name: String,
    /// Label of the model.
    pub model: String,
    /// Registers.
    pub regs: Vec<RegData>,
    /// What is computed once per batch.
    pub prologue: Stream,
    /// What is computed for each block.
    pub body: Stream,
    /// Number of labels.
    pub labels: u32,
    /// How the processor rounds at labels and where code starts.
    pub mode: Mode,
    /// Words of constant banks: bank, vector, component.
    pub uniforms: Vec<(u16, u32, u8)>,
    /// Vectors and masks that the prologue keeps.
    pub kept: (u32, u32),
    /// Where the code calls out.
    pub sites: Vec<Site>,
    /// Operations that calls are about.
    pub calls: Vec<Call>,
    /// Slots that calls name.
    pub slots: Vec<Slot>,
    /// Local arrays: type and number of elements.
    pub arrays: Vec<(Ty, u32)>,
    /// Attribute planes of the interface.
    pub attributes: u32,
    /// Bits of the words of each output component.
    pub outputs: Vec<Option<u32>>,
    /// Whether lanes can run out of fuel.
    pub has_loops: bool,
    /// Who runs together, where memory is written or lanes wait.
    pub turns: Option<Turns>,
    /// The workgroup, if every batch is a whole one, all of it covered.
    pub group: Option<Group>,
    /// Lanes of a subgroup.
    pub subgroup: u32,
    /// Number of barriers and exchanges: where a turn stops.
    pub stops: u32,
}

impl Function {
    /// Leaves attributes to those who give them as rows: nothing is known of where pixels are.
    pub fn read_rows_alone(&mut self) {
        self.body.code.retain_mut(|inst| {
            if matches!(inst.op, Op::Attr(_)) {
                inst.start += u32::from(inst.uses);
                inst.uses = 0;
            }
            !matches!(inst.op, Op::PixelX)
        });
    }

    /// Operations without step program, and those that are redone in slow lanes.
    pub fn fallbacks(&self) -> (usize, usize) {
        let count = |wanted: fn(SiteKind) -> bool| self.sites.iter().filter(|site| wanted(site.kind)).count();
        (count(|kind| matches!(kind, SiteKind::Call(_))), count(|kind| matches!(kind, SiteKind::Redo(_))))
    }
}
