//! The module of a shader: its entry point, and what every part of it needs.

use crate::flow::{Local, Nest};
use crate::host::{Arithmetic, Assume, Host, is_native};
use crate::interface::Interface;
use crate::lookup::{Known, Lookups};
use crate::memory::Words;
use crate::module::{Id, Module, Section};
use crate::refusal::{Refusals, refused};
use crate::words::Shared;
use parallax_core::{AttrSemantic, Bound, EntityRef, OpKind, OutputRole, Shader, Stage, Verified};
use parallax_num::{Op as Operation, Rule};
use parallax_step::words::{Classes, Sink, Value, WordInst};
use parallax_step::{Call, Function, Kind, OpNumber, Program, Programs, Ty, legalise_leaving, second};
use parallax_text::Diag;
use rspirv::spirv::{
    Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl, Op, SelectionControl, StorageClass,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A module and what it reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The module.
    pub words: Vec<u32>,
    /// What it reads and writes.
    pub interface: Interface,
    /// How large it is.
    pub figures: Figures,
    /// What it has of the device's own arithmetic.
    pub host: Host,
}

/// How large a module is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Primitives of step form.
    pub primitives: usize,
    /// Words of the entry point.
    pub main: usize,
    /// Functions besides the entry point.
    pub routines: usize,
    /// Operations that a second program decides where the first one does not.
    pub second: usize,
    /// Operations whose lanes are counted where they are not exact.
    pub inexact: usize,
}

/// What is asked of a translation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// Whether lanes that only the reference evaluation decides are counted in a storage buffer. Else a shader that may have
    /// such lanes is refused.
    pub flag_inexact: bool,
    /// Whether banks of constants are storage buffers. Else those are that a uniform buffer has no room for.
    pub constants_in_storage: bool,
    /// Whose arithmetic the module has.
    pub arithmetic: Arithmetic,
    /// What is assumed of the device.
    pub assume: Assume,
    /// Who looks textures up.
    pub lookups: Lookups<'a>,
    /// What the module of the next stage reads at which location ([`crate::locations`]): outputs of a vertex shader go there. Empty where that is
    /// not known; then they go to locations in the order of their declarations.
    pub next: &'a [(AttrSemantic, u32)],
}

/// A function in the making.
pub(crate) struct Main<'a> {
    pub(crate) shader: &'a Shader<Bound>,
    pub(crate) steps: &'a Function,
    pub(crate) module: Module,
    pub(crate) shared: Shared,
    pub(crate) code: Section,
    /// Variables of the function.
    pub(crate) locals: Section,
    pub(crate) values: Vec<Option<Value>>,
    /// Instructions whose values are known here.
    pub(crate) known: FxHashMap<WordInst, Id>,
    /// They, in the order in which they were made.
    pub(crate) made: Vec<WordInst>,
    pub(crate) constants: FxHashMap<Id, u32>,
    /// What is known of floats, by their words.
    pub(crate) classes: FxHashMap<[Id; 2], Classes>,
    pub(crate) nests: Vec<Nest>,
    /// Blocks that are left from inside.
    pub(crate) left: FxHashSet<OpNumber>,
    /// Says what is left that is not the innermost loop.
    pub(crate) leaving: Option<Id>,
    /// Whether the fragment is still covered.
    pub(crate) covered: Option<Id>,
    pub(crate) inputs: FxHashMap<usize, Id>,
    pub(crate) banks: FxHashMap<usize, (Id, StorageClass)>,
    pub(crate) buffers: FxHashMap<usize, Words>,
    pub(crate) built_ins: FxHashMap<u32, Id>,
    pub(crate) arrays: FxHashMap<usize, Vec<Id>>,
    pub(crate) textures: FxHashMap<u16, (Id, Id)>,
    /// Components of outputs.
    pub(crate) outputs: FxHashMap<(usize, u8), Local>,
    pub(crate) interface: Interface,
    pub(crate) refusals: Refusals,
    pub(crate) options: Options<'a>,
    /// Lookups that the module computes.
    pub(crate) lookups: Known,
    /// Programs of the calls that are computed in integers.
    in_integers: Vec<Option<Arc<Program>>>,
    pub(crate) slow: usize,
    /// Operations with a second program for slow lanes.
    pub(crate) second: usize,
    /// The counter of lanes that are not exact.
    pub(crate) counter: Option<Id>,
    pub(crate) host: Host,
    /// Operations that the device computes, and the ops of the IR that they are made for.
    pub(crate) opened: BTreeMap<u32, BTreeSet<u32>>,
}

/// The module of a shader under its model, in the arithmetic that is asked for. `programs` keeps what was built from shader to shader.
///
/// # Errors
/// All reasons why there is none.
pub fn translate(
    shader: Verified<'_, Bound>,
    programs: &mut Programs,
    options: Options<'_>,
) -> Result<Translation, Vec<Diag>> {
    let stage = shader.shader().func.iface.stage;
    if options.arithmetic == Arithmetic::Mixed && options.assume != Assume::ALL {
        let message =
            "mixed arithmetic is that of devices which promise to round to nearest even and to keep denormals";
        return Err(vec![refused(message.to_string())]);
    }
    let has_floats = options.arithmetic == Arithmetic::Native;
    let steps = legalise_leaving(shader, programs, &|programs, op, rule| {
        has_floats && is_native(op, rule) || programs.in_integers(op, rule).is_some()
    });
    let in_integers = steps.calls.iter().map(|call| programs.in_integers(call.op, &call.rule)).collect();
    let shader = shader.shader();
    let mut left = FxHashSet::default();
    steps.walk(|_, op| {
        if let Kind::Ir(OpKind::Break(target)) = steps.ops[op as usize].kind {
            left.insert(target.index() as OpNumber);
        }
    });
    let mut main = Main {
        shader,
        steps: &steps,
        module: Module::default(),
        shared: Shared::default(),
        code: Section::default(),
        locals: Section::default(),
        values: vec![None; steps.values.len()],
        known: FxHashMap::default(),
        made: Vec::new(),
        constants: FxHashMap::default(),
        classes: FxHashMap::default(),
        nests: Vec::new(),
        left,
        leaving: None,
        covered: None,
        inputs: FxHashMap::default(),
        banks: FxHashMap::default(),
        buffers: FxHashMap::default(),
        built_ins: FxHashMap::default(),
        arrays: FxHashMap::default(),
        textures: FxHashMap::default(),
        outputs: FxHashMap::default(),
        interface: Interface::new(stage, shader.func.iface.workgroup),
        refusals: Refusals::default(),
        options,
        lookups: Known::default(),
        in_integers,
        slow: 0,
        second: 0,
        counter: None,
        host: Host { arithmetic: options.arithmetic, assume: options.assume, ..Host::default() },
        opened: BTreeMap::new(),
    };
    main.module.capability(Capability::Shader);
    main.declare_buffers();
    main.declare_outputs();
    main.region(steps.body);
    main.finish()
}

impl Main<'_> {
    /// The end of the entry point, and the module.
    fn finish(mut self) -> Result<Translation, Vec<Diag>> {
        self.write_outputs();
        self.list_open();
        if let Some(covered) = self.covered {
            let mask = self.load_word(covered, Ty::Mask);
            let [kill, rest] = [(); 2].map(|()| self.module.id());
            self.code.op(Op::SelectionMerge, &[rest, SelectionControl::NONE.bits()]);
            self.code.op(Op::BranchConditional, &[mask, rest, kill]);
            self.code.op(Op::Label, &[kill]);
            self.code.op(Op::Kill, &[]);
            self.code.op(Op::Label, &[rest]);
        }
        if self.module.is_too_long() {
            self.refusals.add("the module has more ids than every driver takes (4,194,303)");
        }
        self.refusals.finish()?;
        let (void, id) = (self.module.void(), self.module.id());
        let signature = self.module.ty(Op::TypeFunction, &[void]);
        let mut function = Section::default();
        function.op(Op::Function, &[void, id, FunctionControl::NONE.bits(), signature]);
        function.op(Op::Label, &[self.module.id()]);
        function.append(&self.locals);
        function.append(&self.code);
        function.op(Op::Return, &[]);
        function.op(Op::FunctionEnd, &[]);
        self.module.function(&function);
        self.module.name(id, "main");
        let stage = self.interface.stage;
        match stage {
            Stage::Fragment => self.module.mode(id, ExecutionMode::OriginUpperLeft, &[]),
            Stage::Vertex => {}
            Stage::Compute => self.module.mode(id, ExecutionMode::LocalSize, &self.interface.workgroup),
        }
        Main::state_assumptions(&mut self.module, id, self.options.assume);
        if self.interface.outputs.iter().any(|output| output.role == OutputRole::Depth) {
            self.module.mode(id, ExecutionMode::DepthReplacing, &[]);
        }
        if self.interface.outputs.iter().any(|output| output.role == OutputRole::Stencil) {
            self.module.mode(id, ExecutionMode::StencilRefReplacingEXT, &[]);
        }
        let figures = Figures {
            primitives: self.steps.counts().steps,
            main: function.len(),
            routines: self.shared.routines() + self.lookups.functions(),
            second: self.second,
            inexact: self.slow,
        };
        let model = match stage {
            Stage::Fragment => ExecutionModel::Fragment,
            Stage::Vertex => ExecutionModel::Vertex,
            Stage::Compute => ExecutionModel::GLCompute,
        };
        let words = self.module.finish(model, id, "main");
        Ok(Translation { words, interface: self.interface, figures, host: self.host })
    }

    /// A step program where it stands: its result and its slow lanes.
    pub(crate) fn program(&mut self, program: &Program, args: &[Value]) -> (Value, Option<Id>) {
        let mut values = args.to_vec();
        for inst in &program.insts {
            let args: Vec<Value> = inst.args().iter().map(|&arg| values[arg as usize]).collect();
            values.push(self.primitive(inst, &args));
        }
        (values[program.result as usize], program.slow.map(|slow| values[slow as usize].low()))
    }

    /// An operation under a rule that has no slow lanes.
    pub(crate) fn operation(&mut self, op: Operation, rule: &Rule, args: &[Value]) -> Value {
        match parallax_step::program(op, rule, true).filter(|program| program.slow.is_none()) {
            Some(program) => self.program(&program, args).0,
            None => {
                self.refusals.add(format!("`{op}` to {} has no integer program without slow lanes", rule.format));
                args[0]
            }
        }
    }

    /// An operation in lanes where the mask is true, elsewhere the value.
    pub(crate) fn redo(&mut self, number: u32, args: &[Value]) -> Value {
        let (mask, value) = (args[0].low(), args[1]);
        if self.constants.get(&mask) == Some(&0) {
            return value;
        }
        let call = self.steps.calls[number as usize];
        if let Some(second) = second(call.op, &call.rule, true).filter(|second| second.slow.is_none()) {
            self.second += 1;
            return self.again(&call, &second, args);
        }
        self.slow += 1;
        if self.options.flag_inexact {
            self.count(mask);
        } else {
            let message = self.about_call(number, "has slow lanes");
            self.refusals.add_with_help(message, "ask for a module that counts such results (`--flag-inexact`)");
        }
        value
    }

    /// An operation by its program in integers, if it has one.
    pub(crate) fn in_integers(&mut self, number: u32, args: &[Value]) -> Option<Value> {
        let program = self.in_integers[number as usize].clone()?;
        Some(self.called(self.steps.calls[number as usize].op, &program, args))
    }

    /// A step program without slow lanes as a call of its function.
    pub(crate) fn called(&mut self, op: Operation, program: &Program, args: &[Value]) -> Value {
        let (function, classes) = self.shared.program(&mut self.module, &op.name().replace('.', "_"), program);
        let ty = program.ty(program.result);
        let words: Vec<Id> = args.iter().flat_map(|arg| arg.words().to_vec()).collect();
        let first = Shared::call(&mut self.module, &mut self.code, function, types_of(ty), &words);
        let value = Value::at(ty, first);
        if let Some(classes) = classes {
            self.note(value.words(), classes);
        }
        value
    }

    /// A second program in lanes where the mask is true.
    pub(crate) fn again(&mut self, call: &Call, second: &Program, args: &[Value]) -> Value {
        let name = format!("second_{}", call.op.name().replace('.', "_"));
        let (function, _) = self.shared.program(&mut self.module, &name, second);
        let ty = second.ty(second.result);
        let local = self.local(ty);
        self.store(&local, args[1]);
        let [then, rest] = [(); 2].map(|()| self.module.id());
        self.branch_if(args[0].low(), then, rest, rest);
        self.code.op(Op::Label, &[then]);
        let words: Vec<Id> = args[2..].iter().flat_map(|arg| arg.words().to_vec()).collect();
        let results: Vec<Ty> = local.iter().map(|&(_, ty)| ty).collect();
        let first = Shared::call(&mut self.module, &mut self.code, function, &results, &words);
        self.store(&local, Value::at(ty, first));
        self.code.op(Op::Branch, &[rest]);
        self.code.op(Op::Label, &[rest]);
        self.load(&local)
    }

    /// Counts the lanes where a mask is true.
    fn count(&mut self, mask: Id) {
        let word = self.module.word();
        let counter = match self.counter {
            Some(counter) => counter,
            None => {
                let block = self.module.structure(&[word]);
                self.module.decorate(block, Decoration::Block, &[]);
                self.module.decorate_member(block, 0, Decoration::Offset, &[0]);
                self.module.member_name(block, 0, "count");
                let counter = self.module.variable(StorageClass::StorageBuffer, block, None);
                let (set, binding) = Interface::COUNTER;
                self.module.decorate(counter, Decoration::DescriptorSet, &[set]);
                self.module.decorate(counter, Decoration::Binding, &[binding]);
                self.module.name(counter, "inexact");
                self.interface.counter = Some((set, binding));
                self.counter = Some(counter);
                counter
            }
        };
        let [then, rest] = [(); 2].map(|()| self.module.id());
        self.branch_if(mask, then, rest, rest);
        self.code.op(Op::Label, &[then]);
        let pointer = self.module.pointer(StorageClass::StorageBuffer, word);
        let (zero, one) = (self.module.constant(0), self.module.constant(1));
        let pointer = self.op(Op::AccessChain, pointer, &[counter, zero]);
        // Within the device, in no order.
        self.op(Op::AtomicIAdd, word, &[pointer, one, zero, one]);
        self.code.op(Op::Branch, &[rest]);
        self.code.op(Op::Label, &[rest]);
    }

    /// An operation has no translation.
    pub(crate) fn refuse_call(&mut self, call: u32, why: &str) {
        let message = self.about_call(call, why);
        self.refusals.add(message);
    }

    fn about_call(&self, call: u32, why: &str) -> String {
        let call = &self.steps.calls[call as usize];
        let slot = call.slot.and_then(|slot| self.steps.slots.get(slot as usize));
        let slot = slot.map_or(String::new(), |slot| format!(" {slot}"));
        format!("`{}`{slot} under {} {why}: a device has no reference evaluation", call.op, self.steps.model)
    }
}

/// Types of the words of a value.
const fn types_of(ty: Ty) -> &'static [Ty] {
    match ty {
        Ty::Mask => &[Ty::Mask],
        Ty::F32 | Ty::I32 => &[Ty::I32],
        Ty::F64 | Ty::I64 => &[Ty::I32; 2],
    }
}
