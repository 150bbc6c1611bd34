//! A direct interpreter of modules, an invocation at a time, for what the random modules consist of. It cuts words by itself;
//! every result that rounds is the judge's.

use super::random::{INPUT, PACK_DOUBLE, op};
use parallax_core::num::{Decl, Model, Op, Slot, eval};
use std::collections::HashMap;

/// A value: the bits of its components, or a place in a variable.
#[derive(Clone, Debug)]
enum Value {
    Words(Vec<u64>),
    Place(u32, usize, usize),
}

/// The type of a component, by its width.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Scalar {
    Bool,
    Int(u32),
    Float(u32),
}

impl Scalar {
    fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(bits) | Scalar::Float(bits) => bits,
        }
    }

    fn decl(self) -> Decl {
        if self.bits() == 64 { Decl::F64 } else { Decl::F32 }
    }

    fn masked(self, bits: u64) -> u64 {
        bits & (u64::MAX >> (64 - self.bits()))
    }

    fn signed(self, bits: u64) -> i64 {
        (bits << (64 - self.bits())) as i64 >> (64 - self.bits())
    }
}

/// What an invocation leaves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Left {
    pub(super) floats: Vec<u32>,
    pub(super) ints: Vec<u32>,
    pub(super) killed: bool,
}

struct Instruction<'a> {
    op: u32,
    words: &'a [u32],
}

pub(super) struct Machine<'a> {
    model: &'a Model,
    code: Vec<Instruction<'a>>,
    /// Number of components of each type, by id.
    sizes: HashMap<u32, usize>,
    /// What the components of each type are.
    scalars: HashMap<u32, Scalar>,
    /// The type of each value.
    types: HashMap<u32, u32>,
    /// Instruction of each label and function.
    places: HashMap<u32, usize>,
    interface: [u32; 4],
    main: u32,
}

enum Ended {
    Returned(Option<Vec<u64>>),
    Killed,
}

impl<'a> Machine<'a> {
    pub(super) fn new(model: &'a Model, words: &'a [u32]) -> Machine<'a> {
        let (mut code, mut at) = (Vec::new(), 5);
        while at < words.len() {
            let count = (words[at] >> 16) as usize;
            code.push(Instruction { op: words[at] & 0xffff, words: &words[at + 1..at + count] });
            at += count;
        }
        let (mut sizes, mut places) = (HashMap::new(), HashMap::new());
        let (mut interface, mut main) = ([0; 4], 0);
        let (mut constants, mut scalars, mut types) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (n, i) in code.iter().enumerate() {
            let is_bare = matches!(i.op, op::STORE | op::DECORATE | op::SELECTION_MERGE | op::LOOP_MERGE);
            if i.op == op::EXT_INST || i.op >= op::CONSTANT && !is_bare {
                // Behind the types, whatever has a result has its type before it.
                if let [ty, id, ..] = *i.words {
                    types.insert(id, ty);
                }
            }
            match i.op {
                op::TYPE_BOOL => drop(scalars.insert(i.words[0], Scalar::Bool)),
                op::TYPE_INT => drop(scalars.insert(i.words[0], Scalar::Int(i.words[1]))),
                op::TYPE_FLOAT => drop(scalars.insert(i.words[0], Scalar::Float(i.words[1]))),
                op::TYPE_VECTOR | op::TYPE_ARRAY => drop(scalars.insert(i.words[0], scalars[&i.words[1]])),
                _ => {}
            }
            match i.op {
                op::ENTRY_POINT => {
                    main = i.words[1];
                    interface.copy_from_slice(&i.words[4..8]);
                }
                op::CONSTANT => {
                    constants.insert(i.words[1], i.words[2]);
                }
                op::TYPE_VOID => drop(sizes.insert(i.words[0], 0)),
                op::TYPE_BOOL | op::TYPE_INT | op::TYPE_FLOAT => drop(sizes.insert(i.words[0], 1)),
                op::TYPE_VECTOR => drop(sizes.insert(i.words[0], i.words[2] as usize)),
                op::TYPE_ARRAY => drop(sizes.insert(i.words[0], constants[&i.words[2]] as usize)),
                op::TYPE_POINTER => drop(sizes.insert(i.words[0], sizes[&i.words[2]])),
                op::LABEL => drop(places.insert(i.words[0], n)),
                op::FUNCTION => drop(places.insert(i.words[1], n)),
                _ => {}
            }
        }
        Machine { model, code, sizes, scalars, types, places, interface, main }
    }

    /// Runs an invocation.
    pub(super) fn run(&self, floats: [u32; 4], ints: [u32; 4]) -> Left {
        let mut memory: HashMap<u32, Vec<u64>> = HashMap::new();
        let mut globals: HashMap<u32, Value> = HashMap::new();
        for i in &self.code {
            match i.op {
                op::FUNCTION => break,
                op::CONSTANT => {
                    let high = i.words.get(3).map_or(0, |high| u64::from(*high) << 32);
                    globals.insert(i.words[1], Value::Words(vec![u64::from(i.words[2]) | high]));
                }
                op::VARIABLE => {
                    let size = self.sizes[&i.words[0]];
                    memory.insert(i.words[1], vec![0; size]);
                    globals.insert(i.words[1], Value::Place(i.words[1], 0, size));
                    assert!(i.words[2] != INPUT || self.interface[..2].contains(&i.words[1]));
                }
                _ => {}
            }
        }
        memory.insert(self.interface[0], floats.map(u64::from).to_vec());
        memory.insert(self.interface[1], ints.map(u64::from).to_vec());
        let mut serial = 0;
        let ended = self.call(self.main, &[], &globals, &mut memory, &mut serial);
        Left {
            floats: memory[&self.interface[2]].iter().map(|bits| *bits as u32).collect(),
            ints: memory[&self.interface[3]].iter().map(|bits| *bits as u32).collect(),
            killed: matches!(ended, Ended::Killed),
        }
    }

    /// An operation on floats of a format; what is converted has the format `from`.
    fn num(&self, op: Op, decl: Decl, from: Decl, args: &[u64]) -> u64 {
        eval(op, &self.model.rule(op, &Slot::plain(decl), self.model.storage(from)).0, args)
    }

    /// What the components of a value are.
    fn scalar(&self, id: u32) -> Scalar {
        self.scalars[&self.types[&id]]
    }

    fn call(
        &self,
        function: u32,
        arguments: &[Vec<u64>],
        globals: &HashMap<u32, Value>,
        memory: &mut HashMap<u32, Vec<u64>>,
        serial: &mut u32,
    ) -> Ended {
        let mut values = globals.clone();
        let (mut at, mut parameter) = (self.places[&function] + 1, 0);
        let mut block = 0;
        loop {
            let i = &self.code[at];
            let w = i.words;
            at += 1;
            let words = |values: &HashMap<u32, Value>, id: u32| match &values[&id] {
                Value::Words(words) => words.clone(),
                Value::Place(..) => panic!("a pointer where a value is needed"),
            };
            let word = |values: &HashMap<u32, Value>, id: u32| words(values, id)[0];
            let jump = |label: u32| self.places[&label];
            let result: Vec<u64> = match i.op {
                op::FUNCTION_PARAMETER => {
                    parameter += 1;
                    arguments[parameter - 1].clone()
                }
                op::LABEL => {
                    let before = std::mem::replace(&mut block, w[0]);
                    // All phis of a block take the values of before.
                    let mut phis = Vec::new();
                    while self.code[at].op == op::PHI {
                        let phi = self.code[at].words;
                        let pair = phi[2..].chunks(2).find(|pair| pair[1] == before).expect("a value for the block");
                        phis.push((phi[1], words(&values, pair[0])));
                        at += 1;
                    }
                    values.extend(phis.into_iter().map(|(id, words)| (id, Value::Words(words))));
                    continue;
                }
                op::SELECTION_MERGE | op::LOOP_MERGE => continue,
                op::BRANCH => {
                    at = jump(w[0]);
                    continue;
                }
                op::BRANCH_CONDITIONAL => {
                    at = jump(if word(&values, w[0]) != 0 { w[1] } else { w[2] });
                    continue;
                }
                op::SWITCH => {
                    let value = word(&values, w[0]);
                    let case = w[2..].chunks(2).find(|case| u64::from(case[0]) == value);
                    at = jump(case.map_or(w[1], |case| case[1]));
                    continue;
                }
                op::KILL => return Ended::Killed,
                op::RETURN => return Ended::Returned(None),
                op::RETURN_VALUE => return Ended::Returned(Some(words(&values, w[0]))),
                op::VARIABLE => {
                    *serial += 1;
                    let (id, size) = (u32::MAX - *serial, self.sizes[&w[0]]);
                    memory.insert(id, vec![0; size]);
                    values.insert(w[1], Value::Place(id, 0, size));
                    continue;
                }
                op::ACCESS_CHAIN => {
                    let Value::Place(id, from, _) = values[&w[2]] else { panic!("no pointer") };
                    let index = word(&values, w[3]) as usize;
                    values.insert(w[1], Value::Place(id, from + index, 1));
                    continue;
                }
                op::STORE => {
                    let Value::Place(id, from, size) = values[&w[0]] else { panic!("no pointer") };
                    let stored = words(&values, w[1]);
                    memory.get_mut(&id).expect("a variable")[from..from + size].copy_from_slice(&stored);
                    continue;
                }
                op::LOAD => {
                    let Value::Place(id, from, size) = values[&w[2]] else { panic!("no pointer") };
                    memory[&id][from..from + size].to_vec()
                }
                op::FUNCTION_CALL => {
                    let given: Vec<Vec<u64>> = w[3..].iter().map(|&id| words(&values, id)).collect();
                    match self.call(w[2], &given, globals, memory, serial) {
                        Ended::Returned(value) => value.expect("a value"),
                        Ended::Killed => return Ended::Killed,
                    }
                }
                op::COMPOSITE_CONSTRUCT => w[2..].iter().map(|&id| word(&values, id)).collect(),
                op::COMPOSITE_EXTRACT => vec![words(&values, w[2])[w[3] as usize]],
                op::VECTOR_SHUFFLE => {
                    let both = [words(&values, w[2]), words(&values, w[3])].concat();
                    w[4..].iter().map(|&n| both[n as usize]).collect()
                }
                op::DOT => {
                    let both = [words(&values, w[2]), words(&values, w[3])].concat();
                    vec![self.num(Op::Dot4, Decl::F32, Decl::F32, &both)]
                }
                op::BITCAST => self.bitcast(&words(&values, w[2]), self.scalar(w[2]), self.scalar(w[1])),
                op::EXT_INST if w[3] == PACK_DOUBLE => {
                    self.bitcast(&words(&values, w[4]), Scalar::Int(32), Scalar::Float(64))
                }
                op::EXT_INST => {
                    let args: Vec<u64> = w[4..].iter().map(|&id| word(&values, id)).collect();
                    let op = match w[3] {
                        8 => Op::Floor,
                        31 => Op::Sqrt,
                        37 => Op::Min,
                        40 => Op::Max,
                        10 => Op::Frac,
                        _ => Op::Abs,
                    };
                    let decl = self.scalar(w[1]).decl();
                    vec![self.num(op, decl, decl, &args)]
                }
                op::SELECT => words(&values, if word(&values, w[2]) != 0 { w[3] } else { w[4] }),
                op => {
                    let args: Vec<Vec<u64>> = w[2..].iter().map(|&id| words(&values, id)).collect();
                    let (from, to) = (self.scalar(w[2]), self.scalar(w[1]));
                    (0..args[0].len())
                        .map(|n| self.component(op, from, to, &args.iter().map(|arg| arg[n]).collect::<Vec<_>>()))
                        .collect()
                }
            };
            // Results stand behind their types.
            values.insert(w[1], Value::Words(result));
        }
    }

    fn bitcast(&self, bits: &[u64], from: Scalar, to: Scalar) -> Vec<u64> {
        let (count, all) = (from.bits() as usize * bits.len(), from.bits() as usize);
        let bit = |n: usize| bits[n / all] >> (n % all) & 1;
        let width = to.bits() as usize;
        (0..count / width).map(|n| (0..width).map(|k| bit(n * width + k) << k).sum()).collect()
    }

    fn component(&self, op: u32, from: Scalar, to: Scalar, args: &[u64]) -> u64 {
        let (a, b) = (args[0], args.get(1).copied().unwrap_or(0));
        let num = |op: Op| self.num(op, from.decl(), from.decl(), args);
        let into = |op: Op| self.num(op, to.decl(), from.decl(), args);
        // From and to integers of 32 and 64 bits.
        let wide = |narrow: Op, wide: Op, bits: u32| if bits == 64 { wide } else { narrow };
        match op {
            op::F_ADD => num(Op::Add),
            op::F_SUB => num(Op::Sub),
            op::F_MUL => num(Op::Mul),
            op::F_NEGATE => num(Op::Neg),
            op::F_ORD_LESS_THAN => num(Op::FLt),
            // True where an operand is NaN.
            op::F_UNORD_GREATER_THAN_EQUAL => num(Op::FGe) | num(Op::Funo),
            op::CONVERT_S_TO_F => into(wide(Op::I2f, Op::I64ToF, from.bits())),
            op::CONVERT_U_TO_F => into(wide(Op::U2f, Op::U64ToF, from.bits())),
            op::CONVERT_F_TO_S => num(wide(Op::F2iTrunc, Op::F2i64Trunc, to.bits())),
            op::CONVERT_F_TO_U => num(wide(Op::F2uTrunc, Op::F2u64Trunc, to.bits())),
            op::F_CONVERT => into(Op::Cvt),
            op::S_CONVERT => to.masked(from.signed(a) as u64),
            op::U_CONVERT => to.masked(a),
            op::I_ADD => to.masked(a.wrapping_add(b)),
            op::I_SUB => to.masked(a.wrapping_sub(b)),
            op::I_MUL => to.masked(a.wrapping_mul(b)),
            op::AND => a & b,
            op::OR => a | b,
            op::XOR => a ^ b,
            op::SHIFT_LEFT => to.masked(a << b),
            op::SHIFT_RIGHT => a >> b,
            op::I_EQUAL => u64::from(a == b),
            op::U_LESS_THAN => u64::from(a < b),
            op::S_LESS_THAN => u64::from(from.signed(a) < from.signed(b)),
            other => panic!("no module here has opcode {other}"),
        }
    }
}
