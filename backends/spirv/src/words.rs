//! Word instructions as instructions of SPIR-V.

use crate::module::{Id, Module, Section};
use parallax_step::words::{Classes, Key, Routine, WordInst, WordKind};
use parallax_step::{Prim, Program, Table, Ty};
use rspirv::spirv::{FunctionControl, GlslStd450Op, Op, StorageClass};
use rustc_hash::FxHashMap;

/// Functions of routines and variables of tables, each made once.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    routines: FxHashMap<Key, Id>,
    programs: FxHashMap<Program, (Id, Option<Classes>)>,
    tables: FxHashMap<(u64, bool), Id>,
    /// Functions of float instructions, by name.
    pub(crate) host: FxHashMap<&'static str, Id>,
}

impl Shared {
    /// Number of functions.
    pub(crate) fn routines(&self) -> usize {
        self.routines.len() + self.programs.len() + self.host.len()
    }

    /// Adds a word instruction to a function; the first of its results, whose ids follow one another.
    pub(crate) fn emit(
        &mut self,
        module: &mut Module,
        code: &mut Section,
        inst: &WordInst,
        constant: &dyn Fn(Id) -> Option<u32>,
    ) -> Id {
        match inst.kind {
            WordKind::Step(Prim::Const, Ty::Mask, word) => module.truth(word != 0),
            WordKind::Step(Prim::Const, _, word) => module.constant(word),
            WordKind::Step(prim, ty, _) => step(module, code, prim, ty, &inst.args, constant),
            WordKind::Row(table, upper) => self.row(module, code, (table, upper), inst.args[0]),
            WordKind::Call(key) => {
                let function = self.routine(module, key);
                Shared::call(module, code, function, &inst.results(), &inst.args)
            }
        }
    }

    /// The function of a primitive.
    pub(crate) fn routine(&mut self, module: &mut Module, key: Key) -> Id {
        if let Some(&known) = self.routines.get(&key) {
            return known;
        }
        let id = self.function(module, &key.to_string().replace('.', "_"), &Routine::of(key));
        self.routines.insert(key, id);
        id
    }

    /// The function of a whole step program without slow lanes, and what is known of its result.
    pub(crate) fn program(&mut self, module: &mut Module, name: &str, program: &Program) -> (Id, Option<Classes>) {
        if let Some(&known) = self.programs.get(program) {
            return known;
        }
        let routine = Routine::of_program(program);
        let made = (self.function(module, name, &routine), routine.classes);
        self.programs.insert(program.clone(), made);
        made
    }

    /// Adds a call; the words of the result.
    pub(crate) fn call(module: &mut Module, code: &mut Section, function: Id, results: &[Ty], args: &[Id]) -> Id {
        let ty = type_of(module, results);
        let made = module.id();
        code.op(Op::FunctionCall, &[&[ty, made, function], args].concat());
        if results.len() == 1 {
            return made;
        }
        let word = module.word();
        let ids = [module.id(), module.id()];
        for (n, id) in (0..).zip(ids) {
            code.op(Op::CompositeExtract, &[word, id, made, n]);
        }
        ids[0]
    }

    /// A routine as a function.
    fn function(&mut self, module: &mut Module, name: &str, routine: &Routine) -> Id {
        let results: Vec<Ty> = routine.results.iter().map(|&id| routine.ty(id)).collect();
        let ty = type_of(module, &results);
        let params: Vec<Id> = routine.params.iter().map(|ty| type_of(module, &[*ty])).collect();
        let signature = module.ty(Op::TypeFunction, &[&[ty], &params[..]].concat());
        let id = module.id();
        module.name(id, name);
        let mut code = Section::default();
        code.op(Op::Function, &[ty, id, FunctionControl::NONE.bits(), signature]);
        let mut values: Vec<Id> = Vec::new();
        for param in params {
            let value = module.id();
            code.op(Op::FunctionParameter, &[param, value]);
            values.push(value);
        }
        code.op(Op::Label, &[module.id()]);
        let mut constants: FxHashMap<Id, u32> = FxHashMap::default();
        for inst in &routine.insts {
            let args = inst.args.iter().map(|&arg| values[arg as usize]).collect();
            let inst = WordInst { kind: inst.kind, args };
            let first = self.emit(module, &mut code, &inst, &|id| constants.get(&id).copied());
            if let WordKind::Step(Prim::Const, Ty::I32, word) = inst.kind {
                constants.insert(first, word);
            }
            values.extend(first..first + inst.results().len() as Id);
        }
        let results: Vec<Id> = routine.results.iter().map(|&id| values[id as usize]).collect();
        let result = match results[..] {
            [one] => one,
            _ => {
                let made = module.id();
                code.op(Op::CompositeConstruct, &[&[ty, made], &results[..]].concat());
                made
            }
        };
        code.op(Op::ReturnValue, &[result]);
        code.op(Op::FunctionEnd, &[]);
        module.function(&code);
        id
    }

    /// A word of the row of a table.
    fn row(&mut self, module: &mut Module, code: &mut Section, (table, upper): (u64, bool), number: Id) -> Id {
        let rows = Table::ALL.get(table as usize).map_or(&[][..], |table| table.rows());
        let word = module.word();
        let variable = match self.tables.get(&(table, upper)) {
            Some(&known) => known,
            None => {
                let half = |row: u64| (if upper { row >> 32 } else { row }) as u32;
                let members: Vec<Id> = rows.iter().map(|&row| module.constant(half(row))).collect();
                let ty = module.array(word, rows.len() as u32, None);
                let first = module.composite(ty, &members);
                let variable = module.variable(StorageClass::Private, ty, Some(first));
                self.tables.insert((table, upper), variable);
                variable
            }
        };
        let count = module.constant(rows.len() as u32);
        let (place, pointer, value) = (module.id(), module.id(), module.id());
        code.op(Op::UMod, &[word, place, number, count]);
        let ty = module.pointer(StorageClass::Private, word);
        code.op(Op::AccessChain, &[ty, pointer, variable, place]);
        code.op(Op::Load, &[word, value, pointer]);
        value
    }
}

/// The type of a value of these words.
pub(crate) fn type_of(module: &mut Module, words: &[Ty]) -> Id {
    match words {
        [Ty::Mask] => module.bool(),
        [_] => module.word(),
        _ => {
            let word = module.word();
            module.vector(word, 2)
        }
    }
}

/// A primitive over words or masks.
fn step(
    module: &mut Module,
    code: &mut Section,
    prim: Prim,
    ty: Ty,
    args: &[Id],
    constant: &dyn Fn(Id) -> Option<u32>,
) -> Id {
    let mask = ty == Ty::Mask;
    let result = type_of(module, &[prim.result(ty)]);
    let word = module.word();
    let plain = |module: &mut Module, code: &mut Section, op: Op, ty: Id, args: &[Id]| {
        let id = module.id();
        code.op(op, &[&[ty, id], args].concat());
        id
    };
    let op = match prim {
        Prim::Select => Op::Select,
        Prim::Add => Op::IAdd,
        Prim::Sub => Op::ISub,
        Prim::Mul => Op::IMul,
        Prim::And if mask => Op::LogicalAnd,
        Prim::And => Op::BitwiseAnd,
        Prim::Or if mask => Op::LogicalOr,
        Prim::Or => Op::BitwiseOr,
        Prim::Xor if mask => Op::LogicalNotEqual,
        Prim::Xor => Op::BitwiseXor,
        Prim::Shl => Op::ShiftLeftLogical,
        Prim::Shr => Op::ShiftRightLogical,
        Prim::Sar => Op::ShiftRightArithmetic,
        Prim::Ones => Op::BitCount,
        Prim::Eq => Op::IEqual,
        Prim::Lt => Op::SLessThan,
        Prim::Ult => Op::ULessThan,
        Prim::Not => Op::LogicalNot,
        Prim::LeadingZeros => {
            // The highest set bit, or all ones where there is none.
            let (set, all) = (module.extended(), module.constant(31));
            let highest = plain(module, code, Op::ExtInst, word, &[set, GlslStd450Op::FindUMsb as u32, args[0]]);
            return plain(module, code, Op::ISub, word, &[all, highest]);
        }
        other => unreachable!("`{}` is no primitive over words", other.name()),
    };
    if !matches!(prim, Prim::Shl | Prim::Shr | Prim::Sar) {
        return plain(module, code, op, result, args);
    }
    // Amounts beyond the width have no meaning.
    let amount = match constant(args[1]) {
        Some(amount) => module.constant(amount & 31),
        None => {
            let most = module.constant(31);
            plain(module, code, Op::BitwiseAnd, word, &[args[1], most])
        }
    };
    if prim != Prim::Sar {
        return plain(module, code, op, result, &[args[0], amount]);
    }
    // Some readers go by the type of the operand.
    let signed = module.signed();
    let number = plain(module, code, Op::Bitcast, signed, &[args[0]]);
    let shifted = plain(module, code, op, signed, &[number, amount]);
    plain(module, code, Op::Bitcast, word, &[shifted])
}
