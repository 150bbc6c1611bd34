//! Expanding functions: their blocks in the order of the plan, phis, calls, ends.

use super::function::FunctionInfo;
use super::group::SUBGROUP;
use super::value::{Local, Scalars, Value};
use super::{Ctx, Frame, Lift, Stop};
use crate::module::Instruction;
use parallax_core::{MAX_DEPTH, OpKind, Type, ValueId};
use parallax_lift::structure::Blocks;
use parallax_lift::{Deferred, Lifter};
use parallax_num::Op;
use rspirv::spirv::Op as Code;
use std::rc::Rc;

/// A function while its blocks are lifted.
struct Expansion<'c, 'a, 'f> {
    ctx: &'c mut Ctx<'a, 'f>,
    info: Rc<FunctionInfo>,
}

impl<'f> Blocks<'f> for Expansion<'_, '_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.ctx.l
    }

    fn begin_loop(&mut self, block: usize) {
        if let Some(block) = self.info.blocks.get(block) {
            self.ctx.at_instruction(block.body.start);
        }
    }

    fn block(&mut self, block: usize) {
        self.ctx.block(&self.info.clone(), block);
    }

    fn condition(&mut self, block: usize) -> ValueId {
        let value = match block.checked_sub(self.info.blocks.len()) {
            Some(test) => self.ctx.test(&self.info.clone(), test),
            None => {
                let last = self.info.blocks[block].body.end - 1;
                self.ctx.at_instruction(last);
                let words = self.ctx.tables.module.operands(&self.ctx.tables.module.instructions[last]);
                self.ctx.single(words[0])
            }
        };
        match value {
            Ok(value) if self.ctx.l.b.func.ty(value) == Type::Pred => value,
            Ok(_) => {
                let problem = self.ctx.invalid::<()>("the condition of a branch is not a boolean");
                problem.unwrap_or_else(|stop| self.ctx.stop(stop));
                self.ctx.l.b.pred(false)
            }
            Err(stop) => {
                self.ctx.stop(stop);
                self.ctx.l.b.pred(false)
            }
        }
    }
}

impl Ctx<'_, '_> {
    /// Expands the function of the entry point.
    pub(super) fn run(&mut self, function: u32) {
        let expanded = self.function(function).and_then(|info| self.expand_function(function, info, Vec::new()));
        if let Err(stop) = expanded {
            self.stop(stop);
        }
    }

    /// Expands a function; gives its result.
    fn expand_function(&mut self, id: u32, info: Rc<FunctionInfo>, arguments: Vec<Value>) -> Lift<Option<Scalars>> {
        if self.l.depth() + 8 > MAX_DEPTH {
            let message = format!("calls and blocks nest deeper than {MAX_DEPTH} regions");
            return self.unsupported("spirv-depth-unsupported", message);
        }
        self.calls.enter(id, self.span).map_err(|diag| Stop::Problem(Box::new(diag)))?;
        let mut frame = Frame { first: self.values.len(), ..Frame::default() };
        for (&parameter, value) in info.parameters.iter().zip(arguments) {
            self.values.insert(parameter, Local::Here(value));
        }
        let flat = self.tables.types.flat(info.result);
        if !flat.is_empty() {
            frame.result = Some(self.typed_variables(&flat));
        }
        let outer = std::mem::replace(&mut self.frame, frame);
        for block in &info.blocks {
            for number in block.phis.clone() {
                let phi = &self.tables.module.instructions[number];
                if phi.op == Code::Phi {
                    let flat = self.tables.types.flat(phi.ty);
                    let first = self.typed_variables(&flat);
                    self.frame.phis.insert(phi.id, first);
                }
            }
        }
        let plan = &info.plan;
        plan.lift(&mut Expansion { ctx: self, info: info.clone() });
        let result = self
            .frame
            .result
            .map(|first| (0..flat.len() as u32).map(|n| self.l.get(first.offset(n))).collect::<Scalars>());
        let instructions = &self.tables.module.instructions[info.body.clone()];
        self.values.truncate(self.frame.first, instructions.iter().map(|instruction| instruction.id));
        self.frame = outer;
        self.calls.leave();
        Ok(result)
    }

    /// Variables of the kit for scalars, with zeros of their types.
    fn typed_variables(&mut self, flat: &[crate::types::Scalar]) -> parallax_lift::VarId {
        let first = self.l.add_variables(flat.len() as u32);
        for (n, scalar) in flat.iter().enumerate() {
            if matches!(scalar.ir(), Type::I64 | Type::Float(parallax_num::Decl::F64)) {
                let zero = self.literal(*scalar, 0);
                self.l.set(first.offset(n as u32), zero);
            }
        }
        first
    }

    /// Lifts a block without the branch that ends it.
    fn block(&mut self, info: &FunctionInfo, block: usize) {
        // Tests of switches have no instructions.
        let Some(block) = info.blocks.get(block) else { return };
        let module = self.tables.module;
        for number in block.phis.clone() {
            let phi = &module.instructions[number];
            self.at_instruction(number);
            let Some(&first) = self.frame.phis.get(&phi.id) else { continue };
            let count = self.tables.types.size(phi.ty);
            if count == 0 {
                let refused = self.unsupported::<()>(
                    "spirv-pointer-unsupported",
                    "OpPhi of images or of pointers to variables of an invocation",
                );
                refused.unwrap_or_else(|stop| self.stop(stop));
                self.bind(phi.id, Value::Refused, false);
                continue;
            }
            let scalars = (0..count).map(|n| self.l.get(first.offset(n))).collect();
            self.bind(phi.id, Value::Scalars(scalars), info.crossing.contains(&phi.id));
        }
        let last = block.body.end - 1;
        for number in block.body.start..last {
            let instruction = &module.instructions[number];
            self.at_instruction(number);
            let lifted = self
                .expand(self.tables.types.size(instruction.ty) as usize)
                .and_then(|()| self.instruction(instruction));
            match lifted {
                Ok(Some(value)) => self.bind(instruction.id, value, info.crossing.contains(&instruction.id)),
                Ok(None) => {}
                Err(stop) => {
                    self.stop(stop);
                    if instruction.id != 0 {
                        self.bind(instruction.id, Value::Refused, false);
                    }
                }
            }
        }
        self.at_instruction(last);
        if let Err(stop) = self.pass_to_phis(info, block.label, &block.next) {
            self.stop(stop);
        }
        if let Err(stop) = self.end(&module.instructions[last]) {
            self.stop(stop);
        }
    }

    /// Sets what the phis of the blocks that follow take from this one.
    fn pass_to_phis(&mut self, info: &FunctionInfo, label: u32, next: &[usize]) -> Lift<()> {
        let module = self.tables.module;
        let mut passed: Vec<(parallax_lift::VarId, Deferred)> = Vec::new();
        for &to in next {
            for number in info.blocks[to].phis.clone() {
                let phi = &module.instructions[number];
                let (Code::Phi, Some(&first)) = (phi.op, self.frame.phis.get(&phi.id)) else { continue };
                let Some(&value) = info.passed.get(&(phi.id, label)) else {
                    return self.invalid(format!("phi %{} has no value for %{label}", phi.id));
                };
                if self.tables.types.size(phi.ty) == 0 {
                    continue;
                }
                let flat = self.tables.types.flat(phi.ty);
                for (n, scalar) in self.scalars(value)?.into_iter().enumerate().take(flat.len()) {
                    passed.push((first.offset(n as u32), scalar));
                }
            }
        }
        for (variable, value) in passed {
            self.l.set(variable, value);
        }
        Ok(())
    }

    /// What the end of a block does besides branching.
    fn end(&mut self, instruction: &Instruction) -> Lift<()> {
        match instruction.op {
            Code::ReturnValue => {
                let words = self.tables.module.operands(instruction);
                let scalars = self.scalars(words[0])?;
                if let Some(first) = self.frame.result {
                    for (n, scalar) in scalars.into_iter().enumerate() {
                        self.l.set(first.offset(n as u32), scalar);
                    }
                }
            }
            Code::Kill | Code::TerminateInvocation => {
                let all = self.l.b.pred(true);
                self.l.b.op(OpKind::Discard, None, &[all], &[]);
                self.l.break_to(self.exit);
            }
            Code::TerminateRayKHR | Code::IgnoreIntersectionKHR | Code::EmitMeshTasksEXT => {
                return self.unsupported("spirv-opcode-unsupported", format!("Op{:?}", instruction.op));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the value of a switch is that of a case.
    fn test(&mut self, info: &FunctionInfo, test: usize) -> Lift<ValueId> {
        let test = &info.tests[test];
        let scalar = self.scalar_of(test.selector)?;
        let value = self.single(test.selector)?;
        let literal = self.integer_literal(scalar, test.literal);
        self.integer(Op::Ieq, scalar, &[value, literal])
    }

    /// Lifts an instruction that does not end a block; gives its result.
    fn instruction(&mut self, instruction: &Instruction) -> Lift<Option<Value>> {
        let words = self.tables.module.operands(instruction);
        match instruction.op {
            Code::Nop | Code::Line | Code::NoLine | Code::SelectionMerge | Code::LoopMerge | Code::MemoryBarrier => {
                return Ok(None);
            }
            // Quads of a shader that writes memory run one after the other, in the order of what they draw.
            Code::BeginInvocationInterlockEXT | Code::EndInvocationInterlockEXT => return Ok(None),
            Code::Undef => {
                let flat = self.tables.types.flat(instruction.ty);
                return Ok(Some(Value::Scalars(self.literals(&flat, &vec![0; flat.len()]))));
            }
            Code::ControlBarrier => {
                // One invocation may be the whole workgroup.
                if !self.is_single() {
                    let is_of_subgroup = self.constant(words[0]) == Some(SUBGROUP);
                    let barrier = if is_of_subgroup { OpKind::GroupBarrier } else { OpKind::Barrier };
                    self.l.b.op(barrier, None, &[], &[]);
                }
                return Ok(None);
            }
            Code::FunctionCall => return self.call(instruction, words),
            Code::ExtInst => return self.extended_instruction(instruction, words),
            Code::DemoteToHelperInvocation => {
                let all = self.l.b.pred(true);
                self.l.b.op(OpKind::Discard, None, &[all], &[]);
                if let Some(demoted) = self.demoted {
                    self.l.set(demoted, all);
                }
                return Ok(None);
            }
            Code::IsHelperInvocationEXT => {
                let is_helper = self.is_helper();
                return self.scalars_for(instruction.ty, [is_helper]).map(Some);
            }
            _ => {}
        }
        if instruction.id == 0 {
            return match self.effect(instruction, words)? {
                true => Ok(None),
                false => self.unknown(instruction),
            };
        }
        self.result(instruction, words)
    }

    /// The result of an instruction without control or effects besides memory.
    pub(super) fn result(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let families = [
            Ctx::componentwise,
            Ctx::composite,
            Ctx::memory,
            Ctx::linear,
            Ctx::image_instruction,
            Ctx::reduction,
            Ctx::carrying,
            Ctx::integer_dot,
            Ctx::group,
        ];
        for family in families {
            if let Some(value) = family(self, instruction, words)? {
                return Ok(Some(value));
            }
        }
        self.unknown(instruction)
    }

    fn unknown(&self, instruction: &Instruction) -> Lift<Option<Value>> {
        self.unsupported("spirv-opcode-unsupported", format!("Op{:?} is not executed", instruction.op))
    }

    fn call(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let info = self.function(words[0])?;
        if info.parameters.len() != words.len() - 1 {
            let (given, wanted) = (words.len() - 1, info.parameters.len());
            return self.invalid(format!("{given} arguments where %{} has {wanted} parameters", words[0]));
        }
        let arguments: Lift<Vec<Value>> = words[1..].iter().map(|&id| self.value(id)).collect();
        let result = self.expand_function(words[0], info, arguments?)?;
        Ok(result.map(Value::Scalars).filter(|_| instruction.id != 0))
    }
}
