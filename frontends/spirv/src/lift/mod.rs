//! Lifting: modules to IR.
//!
//! Values are lists of scalars. Function calls are expanded, blocks are put in order by the lifting kit, and ids that several
//! blocks use are variables of the kit. Variables of an invocation are variables of the kit, too, or local arrays where a
//! value indexes them.

mod arithmetic;
mod atomic;
mod buffer;
mod composite;
mod flow;
mod function;
mod glsl;
mod group;
mod image;
mod interface;
mod memory;
mod pointer;
mod scalar;
mod source;
mod storage;
mod value;

use crate::constants::{Constants, is_constant};
use crate::debug::Debug;
use crate::decorations::DecorationTable;
use crate::id_map::IdMap;
use crate::module::Module;
use crate::types::{Scalar, Ty, Types, is_type};
use function::FunctionInfo;
use memory::Object;
use parallax_core::{Func, Shader, SlotId, Stage, Symbolic, Type, ValueId};
use parallax_lift::{Calls, Deferred, Label, Lifter, Options, Setting, VarId, unplaced};
use parallax_num::{Contract, Decl, Denormals, Round, Slot, Subgroup};
use parallax_text::{Code, Diag, Span, closest};
use rspirv::spirv::{ExecutionMode, ExecutionModel, FPFastMathMode, FPRoundingMode, Op, StorageClass};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;
use value::{Local, Root, Scalars, Value, Values};

/// Frontend options.
pub const SETTINGS: &[Setting] = &[DESCRIPTORS, RELAXED, SUBGROUP];

const DESCRIPTORS: Setting = Setting {
    name: "descriptors",
    values: &["none", "1", "2", "4", "8", "16", "32", "64"],
    doc: "the length of arrays of images or blocks that have none; with `none` they are refused",
};
const RELAXED: Setting = Setting {
    name: "relaxed",
    values: &["model", "ignore", "half"],
    doc: "what RelaxedPrecision makes of binary32: what the model says, nothing, or half operations between conversions",
};
const SUBGROUP: Setting = Setting {
    name: "subgroup",
    values: &["model", "4", "8", "16", "32", "64", "128"],
    doc: "how many invocations of a kernel are a subgroup: as many as the model says, or so many",
};

/// Instructions that room is made for at once.
const LIKELY_SIZE: usize = 1 << 14;

/// Instructions that a module may expand to; those on large composites count several times.
const MAX_EXPANDED: usize = 1 << 19;

/// Scalars of a composite that count as one instruction.
const SCALARS_OF_ONE: usize = 16;

/// Why an instruction was not lifted.
enum Stop {
    /// A problem to report.
    Problem(Box<Diag>),
    /// It uses what was refused before.
    Refused,
}

/// What lifting an instruction gives.
type Lift<T> = Result<T, Stop>;

impl From<Box<Diag>> for Stop {
    fn from(diag: Box<Diag>) -> Stop {
        Stop::Problem(diag)
    }
}

/// What is known of a module before anything is lifted.
struct Tables<'a> {
    module: &'a Module,
    types: Types,
    constants: Constants,
    decorations: DecorationTable,
    debug: Debug,
}

/// An entry point.
#[derive(Clone, Debug)]
struct EntryPoint {
    model: ExecutionModel,
    function: u32,
    name: String,
    /// Variables it lists.
    interface: Vec<u32>,
}

/// Lifts an entry point of a module.
///
/// # Errors
/// Everything that is not executed, by name and place; broken rules that lifting relies on; entry points and options that
/// do not exist.
pub fn lift(module: &Module, options: &Options) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let diags = options.check(SETTINGS);
    if !diags.is_empty() {
        return Err(diags);
    }
    let tables = Tables::of(module, options)?;
    let entry = entry_point(&tables, options).map_err(|diag| vec![*diag])?;
    let stage = match entry.model {
        ExecutionModel::Fragment => Stage::Fragment,
        ExecutionModel::Vertex => Stage::Vertex,
        ExecutionModel::GLCompute => Stage::Compute,
        model => {
            let message = format!("entry point `{}` of execution model {model:?} is not executed", entry.name);
            return Err(vec![Diag {
                span: None,
                ..Diag::unsupported("spirv-stage-unsupported", Span::default(), message)
            }]);
        }
    };
    // Variables that a value indexes become arrays, and pointers lead into what others were seen to lead into.
    let mut found = Found::default();
    loop {
        let known = found.count();
        let mut func = Func::new(entry.name.clone(), "spirv", stage);
        func.uncompiled = true;
        let result = attempt(&mut func, &tables, &entry, options, &mut found);
        if found.count() == known {
            return result.map(|()| Shader::new(func));
        }
    }
}

/// What is found on the way, for which a module is lifted again.
#[derive(Default)]
struct Found {
    /// Ids of variables that a value indexes.
    indexed: FxHashSet<u32>,
    /// What pointers that are kept as values lead into, in the order in which they were found.
    pointed: Vec<Root>,
}

impl Found {
    fn count(&self) -> usize {
        self.indexed.len() + self.pointed.len()
    }
}

fn attempt(
    func: &mut Func,
    tables: &Tables<'_>,
    entry: &EntryPoint,
    options: &Options,
    found: &mut Found,
) -> Result<(), Vec<Diag>> {
    let stage = func.iface.stage;
    // Reserving nothing would copy everything a dozen times while it grows.
    let likely = tables.module.instructions.len().min(LIKELY_SIZE);
    func.reserve(3 * likely);
    let mut l = Lifter::new(func);
    let exit = l.begin_block();
    l.b.func.iface.subgroup = Subgroup::from_name(options.value(&SUBGROUP)).filter(|_| stage == Stage::Compute);
    let demotes = tables.module.instructions.iter().any(|instruction| instruction.op == Op::DemoteToHelperInvocation);
    let demoted = demotes.then(|| {
        let (demoted, none) = (l.add_variables(1), l.b.pred(false));
        l.set(demoted, none);
        demoted
    });
    let mut ctx = Ctx {
        l,
        tables,
        entry,
        diags: Vec::new(),
        calls: Calls::default(),
        globals: FxHashMap::default(),
        objects: Vec::new(),
        sets: vec![Vec::new()],
        found,
        values: IdMap::with_capacity(tables.module.bound(), likely),
        frame: Frame::default(),
        functions: FxHashMap::default(),
        controls: Controls::of(tables, entry),
        slots: FxHashMap::default(),
        bare_slots: [None; Decl::ALL.len()],
        relaxed_as: match options.value(&RELAXED) {
            "half" => Some(Decl::F16),
            "ignore" => None,
            _ => Some(Decl::Mediump),
        },
        sources: source::SourceTable::new(tables.module),
        exit,
        demoted,
        has_subgroups: tables.has_subgroups(stage),
        expanded: 0,
        span: Span::default(),
        outputs: Vec::new(),
    };
    ctx.declare_globals(options);
    if ctx.diags.is_empty() {
        ctx.run(entry.function);
    }
    ctx.l.at(None);
    ctx.l.end_block();
    ctx.write_outputs();
    ctx.watches(options);
    let Ctx { l, mut diags, sources, .. } = ctx;
    l.b.func.sources = sources.finish(tables.module);
    if diags.is_empty() {
        return l.finish();
    }
    parallax_text::sort_by_key(&mut diags, |diag| diag.span.map_or(0, |span| span.start));
    diags.dedup();
    Err(diags)
}

/// A lift in progress.
struct Ctx<'a, 'f> {
    l: Lifter<'f>,
    tables: &'a Tables<'a>,
    entry: &'a EntryPoint,
    diags: Vec<Diag>,
    calls: Calls,
    /// Variables outside of functions.
    globals: FxHashMap<u32, Value>,
    /// Variables of this invocation.
    objects: Vec<Object>,
    /// Roots that pointers choose between; the first set is empty.
    sets: Vec<Vec<Root>>,
    found: &'a mut Found,
    /// Values of ids in the functions that are being expanded; no function is expanded inside of itself.
    values: IdMap<Local>,
    /// The function being expanded.
    frame: Frame,
    functions: FxHashMap<u32, Rc<FunctionInfo>>,
    controls: Controls,
    slots: FxHashMap<Slot, SlotId>,
    /// Slots of results of which nothing is said, by format.
    bare_slots: [Option<SlotId>; Decl::ALL.len()],
    /// What RelaxedPrecision makes of binary32.
    relaxed_as: Option<Decl>,
    sources: source::SourceTable,
    /// The block of the whole program.
    exit: Label,
    /// Whether the invocation was demoted to a helper, in modules that do so.
    demoted: Option<VarId>,
    /// Whether a kernel has operations of subgroups, all of whose invocations then go in step.
    has_subgroups: bool,
    expanded: usize,
    /// Where the instruction being lifted stands.
    span: Span,
    outputs: Vec<interface::Output>,
}

/// A function being expanded.
#[derive(Default)]
struct Frame {
    /// How many values others have.
    first: usize,
    /// Variables of the scalars of each phi.
    phis: FxHashMap<u32, VarId>,
    /// Variables of the scalars of the result.
    result: Option<VarId>,
}

/// Execution modes that fix rounding and denormals, by width.
#[derive(Copy, Clone, Debug, Default)]
struct Controls {
    round: [Option<Round>; 3],
    denormals: [Option<Denormals>; 3],
    /// The fast math mode of operations that have none of their own.
    fast_math: [Option<FPFastMathMode>; 3],
}

/// Place of a width in [`Controls`].
fn width_place(bits: u32) -> usize {
    match bits {
        16 => 0,
        64 => 2,
        _ => 1,
    }
}

impl Controls {
    fn of(tables: &Tables<'_>, entry: &EntryPoint) -> Controls {
        let mut controls = Controls::default();
        for (mode, words) in tables.modes(entry.function) {
            if let (ExecutionMode::FPFastMathDefault, [ty, mode]) = (mode, words)
                && let Some(Scalar::Float(decl)) = tables.types.scalar(*ty)
            {
                let bits = tables.constants.integer(&tables.types, *mode);
                controls.fast_math[width_place(decl.format().bits())] =
                    bits.map(|bits| FPFastMathMode::from_bits_truncate(bits as u32));
                continue;
            }
            let place = width_place(words.first().copied().unwrap_or(32));
            match mode {
                ExecutionMode::DenormFlushToZero => controls.denormals[place] = Some(Denormals::Flush),
                ExecutionMode::DenormPreserve => controls.denormals[place] = Some(Denormals::Keep),
                ExecutionMode::RoundingModeRTE => controls.round[place] = Some(Round::NearestEven),
                ExecutionMode::RoundingModeRTZ => controls.round[place] = Some(Round::Zero),
                _ => {}
            }
        }
        controls
    }
}

impl<'a> Tables<'a> {
    fn of(module: &'a Module, options: &Options) -> Result<Tables<'a>, Vec<Diag>> {
        let decorations = DecorationTable::of(module);
        let debug = Debug::of(module);
        let (types, constants) = (Types::new(module.bound()), Constants::new(module.bound()));
        let mut tables = Tables { module, types, constants, decorations, debug };
        let mut diags = Vec::new();
        let descriptors = options.value(&DESCRIPTORS).parse().ok();
        for (number, instruction) in module.instructions.iter().enumerate() {
            let Tables { types, constants, decorations, .. } = &mut tables;
            let added = if is_type(instruction) {
                types.add(module, number, constants)
            } else if is_constant(instruction.op) {
                let spec = decorations.id(instruction.id).spec_id;
                constants.add(module, types, number, spec.and_then(|id| options.spec.get(&id).copied()))
            } else if instruction.op == Op::Function {
                break;
            } else {
                if let (Op::Variable, Some(count)) = (instruction.op, descriptors) {
                    types.count_descriptors(instruction.ty, count);
                }
                Ok(())
            };
            diags.extend(added.err().map(|diag| *diag));
            if diags.len() >= 20 {
                break;
            }
        }
        if diags.is_empty() { Ok(tables) } else { Err(diags) }
    }

    /// Execution modes of an entry point, each with its words.
    fn modes(&self, function: u32) -> impl Iterator<Item = (ExecutionMode, &[u32])> {
        self.module.instructions.iter().filter_map(move |instruction| {
            let words = self.module.operands(instruction);
            let is_mode = matches!(instruction.op, Op::ExecutionMode | Op::ExecutionModeId);
            (is_mode && words[0] == function).then(|| Some((ExecutionMode::from_u32(words[1])?, &words[2..])))?
        })
    }

    /// Whether a kernel has operations of subgroups.
    fn has_subgroups(&self, stage: Stage) -> bool {
        let waits = |instruction: &crate::module::Instruction| {
            instruction.op == Op::ControlBarrier
                && self.constants.integer(&self.types, self.module.operands(instruction)[0]) == Some(group::SUBGROUP)
        };
        let is_one = |instruction: &crate::module::Instruction| {
            group::is_of_subgroups(instruction, self.decorations.id(instruction.id).built_in) || waits(instruction)
        };
        stage == Stage::Compute && self.module.instructions.iter().any(is_one)
    }

    /// The type that a pointer type leads to, and its storage class.
    fn pointee(&self, ty: u32) -> Option<(StorageClass, u32)> {
        match self.types.get(ty)? {
            Ty::Pointer { class, to } => Some((*class, *to)),
            _ => None,
        }
    }
}

/// Chooses the entry point: the caller's, or the only one.
fn entry_point(tables: &Tables<'_>, options: &Options) -> Result<EntryPoint, Box<Diag>> {
    let module = tables.module;
    let all: Vec<EntryPoint> = module
        .instructions
        .iter()
        .filter(|instruction| instruction.op == Op::EntryPoint)
        .filter_map(|instruction| {
            let words = module.operands(instruction);
            let (name, count) = crate::module::string(&words[2..]);
            Some(EntryPoint {
                model: ExecutionModel::from_u32(words[0])?,
                function: words[1],
                name,
                interface: words[2 + count..].to_vec(),
            })
        })
        .collect();
    let names =
        || all.iter().map(|entry| format!("`{}` ({:?})", entry.name, entry.model)).collect::<Vec<_>>().join(", ");
    let stage_fits = |entry: &&EntryPoint| {
        options.stage.is_none_or(|stage| {
            matches!(
                (stage, entry.model),
                (Stage::Fragment, ExecutionModel::Fragment)
                    | (Stage::Vertex, ExecutionModel::Vertex)
                    | (Stage::Compute, ExecutionModel::GLCompute)
            )
        })
    };
    let name_fits = |entry: &&EntryPoint| options.entry.as_ref().is_none_or(|name| *name == entry.name);
    let fitting: Vec<&EntryPoint> = all.iter().filter(name_fits).filter(stage_fits).collect();
    let error = |message: String| Box::new(unplaced("spirv-entry", message));
    match fitting.as_slice() {
        [entry] => Ok((*entry).clone()),
        [] if all.is_empty() => Err(error("the module has no entry point".into())),
        [] => {
            let mut diag = error(format!("no entry point matches; the module has {}", names()));
            if let Some(near) =
                options.entry.as_ref().and_then(|name| closest(name, all.iter().map(|e| e.name.as_str())))
            {
                *diag = diag.with_help(format!("did you mean `{near}`?"));
            }
            Err(diag)
        }
        _ => {
            let help = "choose one by name (`entry`) or by stage (`stage`)";
            Err(Box::new(error(format!("the module has several entry points: {}", names())).with_help(help)))
        }
    }
}

impl<'a, 'f> Ctx<'a, 'f> {
    // ---- problems ----

    fn invalid<T>(&self, message: impl Into<String>) -> Lift<T> {
        Err(Stop::Problem(Box::new(Diag::invalid("spirv-invalid", self.span, message))))
    }

    fn unsupported<T>(&self, code: Code, message: impl Into<String>) -> Lift<T> {
        Err(Stop::Problem(Box::new(Diag::unsupported(code, self.span, message))))
    }

    /// Refuses an array of images or blocks without a length.
    fn uncounted<T>(&self) -> Lift<T> {
        let message = "an array of images or blocks without a length";
        let help = format!("the frontend option `{0}` gives it one, such as `--set {0}=8`", DESCRIPTORS.name);
        Err(Stop::Problem(Box::new(
            Diag::unsupported("spirv-variable-unsupported", self.span, message).with_help(help),
        )))
    }

    fn stop(&mut self, stop: Stop) {
        if let Stop::Problem(diag) = stop
            && self.diags.len() < 50
            && !self.diags.contains(&diag)
        {
            self.diags.push(*diag);
        }
    }

    /// Counts an instruction that is expanded, on so many scalars.
    fn expand(&mut self, scalars: usize) -> Lift<()> {
        self.expanded += 1 + scalars / SCALARS_OF_ONE;
        if self.expanded > MAX_EXPANDED {
            return self.unsupported("call-size", format!("calls expand to more than {MAX_EXPANDED} instructions"));
        }
        Ok(())
    }

    // ---- slots ----

    /// The slot of an operation whose result is `id`.
    fn slot(&mut self, id: u32, decl: Decl) -> SlotId {
        self.slot_of(id, decl, true)
    }

    /// The same; `contracts` says whether NoContraction of the result counts.
    fn slot_of(&mut self, id: u32, decl: Decl, contracts: bool) -> SlotId {
        let said = self.tables.decorations.id(id);
        let is_bare = contracts && said.rounding.is_none() && said.fast_math.is_none() && !said.no_contraction;
        if let Some(known) = self.bare_slots[decl as usize].filter(|_| is_bare) {
            return known;
        }
        let place = width_place(decl.format().bits());
        let round = match said.rounding {
            Some(FPRoundingMode::RTE) => Some(Round::NearestEven),
            Some(FPRoundingMode::RTZ) => Some(Round::Zero),
            Some(FPRoundingMode::RTP) => Some(Round::Up),
            Some(FPRoundingMode::RTN) => Some(Round::Down),
            None => self.controls.round[place],
        };
        // Nothing is reassociated or transformed here, so a fast math mode only says whether the model may fuse.
        let may_fuse = said
            .fast_math
            .or(self.controls.fast_math[place])
            .is_none_or(|mode| mode.intersects(FPFastMathMode::ALLOW_CONTRACT | FPFastMathMode::FAST));
        let slot = Slot {
            contract: if contracts && (said.no_contraction || !may_fuse) { Contract::Never } else { Contract::Model },
            round,
            denormals: self.controls.denormals[place],
            ..Slot::plain(decl)
        };
        let made = match self.slots.get(&slot) {
            Some(known) => *known,
            None => {
                let made = self.l.b.slot(slot);
                self.slots.insert(slot, made);
                made
            }
        };
        if is_bare {
            self.bare_slots[decl as usize] = Some(made);
        }
        made
    }

    // ---- values ----

    /// Scalars of the literal bits of a type.
    fn literals(&mut self, flat: &[Scalar], bits: &[u64]) -> Scalars {
        flat.iter().zip(bits).map(|(scalar, bits)| self.literal(*scalar, *bits)).collect()
    }

    fn literal(&mut self, scalar: Scalar, bits: u64) -> Deferred {
        match scalar {
            Scalar::Bool => self.l.b.pred(bits != 0).into(),
            Scalar::Int { bits: 64, .. } => self.l.b.i64(bits).into(),
            Scalar::Float(decl) if decl != Decl::F32 => {
                let slot = self.l.plain(decl);
                self.l.b.literal(bits, Some(slot), Type::Float(decl)).into()
            }
            _ => Deferred::word(bits as u32),
        }
    }

    /// The value of an id.
    fn value(&mut self, id: u32) -> Lift<Value> {
        match self.values.get_behind(id, self.frame.first) {
            Some(Local::Here(value)) => {
                return match value {
                    Value::Refused => Err(Stop::Refused),
                    Value::Scalars(scalars) => Ok(Value::Scalars(Scalars::from_slice(scalars))),
                    value => Ok(value.clone()),
                };
            }
            Some(Local::Stored(value, first)) => {
                let (mut value, first) = (value.clone(), *first);
                match &mut value {
                    Value::Scalars(scalars) => {
                        for (n, scalar) in scalars.iter_mut().enumerate() {
                            *scalar = self.l.get(first.offset(n as u32));
                        }
                    }
                    Value::Pointer(pointer) | Value::Image(pointer) => {
                        let pointer = Rc::make_mut(pointer);
                        for (n, term) in pointer.terms.iter_mut().enumerate() {
                            term.0 = self.l.get(first.offset(n as u32));
                        }
                        let behind = first.offset(pointer.terms.len() as u32);
                        pointer.number = pointer.number.map(|_| self.l.get(behind));
                    }
                    Value::Refused => return Err(Stop::Refused),
                    _ => {}
                }
                return Ok(value);
            }
            None => {}
        }
        if let Some(constant) = self.tables.constants.get(id) {
            let flat = self.tables.types.flat(constant.ty);
            return Ok(Value::Scalars(self.literals(&flat, &constant.bits)));
        }
        match self.globals.get(&id) {
            Some(Value::Refused) => Err(Stop::Refused),
            Some(value) => Ok(value.clone()),
            None => self.invalid(match self.tables.module.defining(id).map(|defining| defining.op) {
                Some(Op::Variable) => format!("entry point `{}` does not list the variable %{id}", self.entry.name),
                _ => format!("%{id} has no value here"),
            }),
        }
    }

    /// The scalars of an id that has its value in this block, which most have.
    fn scalars_here(&self, id: u32) -> Option<&Scalars> {
        match self.values.get_behind(id, self.frame.first) {
            Some(Local::Here(Value::Scalars(scalars))) => Some(scalars),
            _ => None,
        }
    }

    /// The scalars of an id.
    fn scalars(&mut self, id: u32) -> Lift<Scalars> {
        if let Some(scalars) = self.scalars_here(id) {
            return Ok(Scalars::from_slice(scalars));
        }
        match self.value(id)? {
            Value::Scalars(scalars) => Ok(scalars),
            Value::Pointer(pointer) => self.pointer_as_value(&pointer),
            _ => self.invalid(format!("%{id} is not a numeric value")),
        }
    }

    /// The type of an id's value.
    fn type_of(&self, id: u32) -> Lift<u32> {
        match self.tables.module.defining(id) {
            Some(instruction) if instruction.ty != 0 => Ok(instruction.ty),
            _ => self.invalid(format!("%{id} has no type")),
        }
    }

    /// The scalar type of an id's value.
    fn scalar_of(&self, id: u32) -> Lift<Scalar> {
        let ty = self.type_of(id)?;
        self.scalar_type(ty)
    }

    /// The scalar type of a type.
    fn scalar_type(&self, ty: u32) -> Lift<Scalar> {
        match self.tables.types.scalar(ty) {
            Some(scalar) => Ok(scalar),
            None => self.invalid(format!("%{ty} is not a numeric type")),
        }
    }

    /// Scalars of an id as values of their type.
    fn forced(&mut self, id: u32) -> Lift<Vec<ValueId>> {
        self.components(id).map(SmallVec::into_vec)
    }

    /// The same, for few.
    fn components(&mut self, id: u32) -> Lift<Values> {
        self.typed_components(id).map(|(_, values)| values)
    }

    /// The same with their type.
    fn typed_components(&mut self, id: u32) -> Lift<(Scalar, Values)> {
        let scalar = self.scalar_of(id)?;
        let ty = scalar.ir();
        if let Some(Local::Here(Value::Scalars(scalars))) = self.values.get_behind(id, self.frame.first) {
            return Ok((scalar, scalars.iter().map(|&val| self.l.force(val, ty)).collect()));
        }
        let scalars = self.scalars(id)?;
        Ok((scalar, scalars.iter().map(|&val| self.l.force(val, ty)).collect()))
    }

    /// The only scalar of an id as a value of its type.
    fn single(&mut self, id: u32) -> Lift<ValueId> {
        match self.components(id)?.as_slice() {
            [value] => Ok(*value),
            _ => self.invalid(format!("%{id} is not a scalar")),
        }
    }

    /// An integer as 32 bits: an index, a shift, an offset. Narrow ones are extended by their sign.
    fn index(&mut self, id: u32) -> Lift<ValueId> {
        let scalar = self.scalar_of(id)?;
        let value = self.single(id)?;
        match scalar {
            Scalar::Int { bits: 64, .. } => Ok(self.l.b.int(parallax_num::Op::Low, &[value])),
            Scalar::Int { .. } => Ok(self.extended(value, scalar)),
            _ => self.invalid(format!("%{id} is not an integer")),
        }
    }

    /// The value of an integer constant.
    fn constant(&self, id: u32) -> Option<i128> {
        self.tables.constants.integer(&self.tables.types, id)
    }

    /// The value of an integer that must be a constant.
    fn needs_constant(&self, id: u32) -> Lift<u32> {
        match self.constant(id).map(|value| value as u32) {
            Some(value) => Ok(value),
            None => self.invalid(format!("%{id} is not an integer constant")),
        }
    }

    /// Binds an id to a value.
    fn bind(&mut self, id: u32, value: Value, crosses: bool) {
        if !crosses {
            self.values.insert(id, Local::Here(value));
            return;
        }
        let count = match &value {
            Value::Scalars(scalars) => scalars.len(),
            Value::Pointer(pointer) | Value::Image(pointer) => {
                pointer.terms.len() + usize::from(pointer.number.is_some())
            }
            _ => 0,
        };
        let first = match self.values.get(id) {
            Some(Local::Stored(_, first)) => *first,
            _ => self.l.add_variables(count as u32),
        };
        match &value {
            Value::Scalars(scalars) => {
                for (n, scalar) in scalars.iter().enumerate() {
                    self.l.set(first.offset(n as u32), *scalar);
                }
            }
            Value::Pointer(pointer) | Value::Image(pointer) => {
                for (n, part) in pointer.terms.iter().map(|term| term.0).chain(pointer.number).enumerate() {
                    self.l.set(first.offset(n as u32), part);
                }
            }
            _ => {}
        }
        self.values.insert(id, Local::Stored(value, first));
    }
}
