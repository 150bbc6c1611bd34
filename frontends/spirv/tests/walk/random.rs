//! Random fragment modules: structured control flow with phis, variables, arrays indexed by values, functions with several
//! returns.

use parallax_random::Random;
use parallax_spirv::MAGIC;
use std::collections::HashMap;

/// Opcodes by their numbers in the specification, section 3.52.
pub(super) mod op {
    pub(in super::super) const EXT_INST: u32 = 12;
    pub(in super::super) const EXT_INST_IMPORT: u32 = 11;
    pub(in super::super) const MEMORY_MODEL: u32 = 14;
    pub(in super::super) const ENTRY_POINT: u32 = 15;
    pub(in super::super) const EXECUTION_MODE: u32 = 16;
    pub(in super::super) const CAPABILITY: u32 = 17;
    pub(in super::super) const TYPE_VOID: u32 = 19;
    pub(in super::super) const TYPE_BOOL: u32 = 20;
    pub(in super::super) const TYPE_INT: u32 = 21;
    pub(in super::super) const TYPE_FLOAT: u32 = 22;
    pub(in super::super) const TYPE_VECTOR: u32 = 23;
    pub(in super::super) const TYPE_ARRAY: u32 = 28;
    pub(in super::super) const TYPE_POINTER: u32 = 32;
    pub(in super::super) const TYPE_FUNCTION: u32 = 33;
    pub(in super::super) const CONSTANT: u32 = 43;
    pub(in super::super) const FUNCTION: u32 = 54;
    pub(in super::super) const FUNCTION_PARAMETER: u32 = 55;
    pub(in super::super) const FUNCTION_END: u32 = 56;
    pub(in super::super) const FUNCTION_CALL: u32 = 57;
    pub(in super::super) const VARIABLE: u32 = 59;
    pub(in super::super) const LOAD: u32 = 61;
    pub(in super::super) const STORE: u32 = 62;
    pub(in super::super) const ACCESS_CHAIN: u32 = 65;
    pub(in super::super) const DECORATE: u32 = 71;
    pub(in super::super) const VECTOR_SHUFFLE: u32 = 79;
    pub(in super::super) const COMPOSITE_CONSTRUCT: u32 = 80;
    pub(in super::super) const COMPOSITE_EXTRACT: u32 = 81;
    pub(in super::super) const CONVERT_F_TO_U: u32 = 109;
    pub(in super::super) const CONVERT_F_TO_S: u32 = 110;
    pub(in super::super) const CONVERT_S_TO_F: u32 = 111;
    pub(in super::super) const CONVERT_U_TO_F: u32 = 112;
    pub(in super::super) const U_CONVERT: u32 = 113;
    pub(in super::super) const S_CONVERT: u32 = 114;
    pub(in super::super) const F_CONVERT: u32 = 115;
    pub(in super::super) const BITCAST: u32 = 124;
    pub(in super::super) const F_NEGATE: u32 = 127;
    pub(in super::super) const I_ADD: u32 = 128;
    pub(in super::super) const F_ADD: u32 = 129;
    pub(in super::super) const I_SUB: u32 = 130;
    pub(in super::super) const F_SUB: u32 = 131;
    pub(in super::super) const I_MUL: u32 = 132;
    pub(in super::super) const F_MUL: u32 = 133;
    pub(in super::super) const DOT: u32 = 148;
    pub(in super::super) const I_EQUAL: u32 = 170;
    pub(in super::super) const U_LESS_THAN: u32 = 176;
    pub(in super::super) const S_LESS_THAN: u32 = 177;
    pub(in super::super) const F_ORD_LESS_THAN: u32 = 184;
    pub(in super::super) const F_UNORD_GREATER_THAN_EQUAL: u32 = 191;
    pub(in super::super) const SELECT: u32 = 169;
    pub(in super::super) const SHIFT_LEFT: u32 = 196;
    pub(in super::super) const SHIFT_RIGHT: u32 = 194;
    pub(in super::super) const OR: u32 = 197;
    pub(in super::super) const XOR: u32 = 198;
    pub(in super::super) const AND: u32 = 199;
    pub(in super::super) const PHI: u32 = 245;
    pub(in super::super) const LOOP_MERGE: u32 = 246;
    pub(in super::super) const SELECTION_MERGE: u32 = 247;
    pub(in super::super) const LABEL: u32 = 248;
    pub(in super::super) const BRANCH: u32 = 249;
    pub(in super::super) const BRANCH_CONDITIONAL: u32 = 250;
    pub(in super::super) const SWITCH: u32 = 251;
    pub(in super::super) const KILL: u32 = 252;
    pub(in super::super) const RETURN: u32 = 253;
    pub(in super::super) const RETURN_VALUE: u32 = 254;
}

/// `PackDouble2x32` of `GLSL.std.450`.
pub(super) const PACK_DOUBLE: u32 = 59;

/// Other instructions of `GLSL.std.450` that are used.
pub(super) const GLSL: [u32; 6] = [8, 31, 37, 40, 10, 4];

/// Storage classes.
pub(super) const INPUT: u32 = 1;
const OUTPUT: u32 = 3;
const PRIVATE: u32 = 6;
const FUNCTION: u32 = 7;

/// Types of the values that statements compute.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Float,
    Int,
    Vector,
    /// A float of 64 bits.
    Double,
    /// An integer of 64 bits.
    Long,
}

/// The kinds that phis have.
const PASSED: [Kind; 4] = [Kind::Float, Kind::Int, Kind::Double, Kind::Long];

/// A module being written.
struct Writer<'r> {
    random: &'r mut Random,
    globals: Vec<u32>,
    code: Vec<u32>,
    next: u32,
    constants: HashMap<(u32, u64), u32>,
    types: Types,
    /// Values that are defined here, by kind.
    values: Vec<(Kind, u32)>,
    /// Pointers to variables of a float, of an array of four floats, of a double, of an array of four doubles.
    variables: [Vec<u32>; 4],
    /// Functions of a float, an int and a double that give a float.
    functions: Vec<u32>,
    /// The label of the block being written.
    block: u32,
    budget: u32,
    loops: u32,
}

#[derive(Copy, Clone, Default)]
struct Types {
    void: u32,
    boolean: u32,
    float: u32,
    int: u32,
    vector: u32,
    array: u32,
    double: u32,
    long: u32,
    doubles: u32,
    /// Two ints.
    pair: u32,
    set: u32,
}

fn put(words: &mut Vec<u32>, op: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op);
    words.extend(operands);
}

/// A random module and the ids of its input and output variables: a vector of floats, a vector of ints, each in and out.
pub(super) fn module(random: &mut Random) -> Vec<u32> {
    let mut w = Writer {
        random,
        globals: Vec::new(),
        code: Vec::new(),
        next: 1,
        constants: HashMap::new(),
        types: Types::default(),
        values: Vec::new(),
        variables: Default::default(),
        functions: Vec::new(),
        block: 0,
        budget: 40,
        loops: 0,
    };
    w.types.set = w.id();
    let mut t = w.types;
    for (slot, op, operands) in [
        (&mut t.void, op::TYPE_VOID, &[][..]),
        (&mut t.boolean, op::TYPE_BOOL, &[]),
        (&mut t.float, op::TYPE_FLOAT, &[32]),
        (&mut t.int, op::TYPE_INT, &[32, 0]),
        (&mut t.double, op::TYPE_FLOAT, &[64]),
        (&mut t.long, op::TYPE_INT, &[64, 0]),
    ] {
        *slot = w.id();
        let words: Vec<u32> = std::iter::once(*slot).chain(operands.iter().copied()).collect();
        put(&mut w.globals, op, &words);
    }
    w.types = t;
    (w.types.vector, w.types.array) = (w.id(), w.id());
    (w.types.doubles, w.types.pair) = (w.id(), w.id());
    let vectors = w.id();
    put(&mut w.globals, op::TYPE_VECTOR, &[w.types.vector, w.types.float, 4]);
    put(&mut w.globals, op::TYPE_VECTOR, &[vectors, w.types.int, 4]);
    let four = w.int(4);
    put(&mut w.globals, op::TYPE_ARRAY, &[w.types.array, w.types.float, four]);
    put(&mut w.globals, op::TYPE_ARRAY, &[w.types.doubles, w.types.double, four]);
    put(&mut w.globals, op::TYPE_VECTOR, &[w.types.pair, w.types.int, 2]);
    let mut interface = Vec::new();
    for (class, ty) in [(INPUT, w.types.vector), (INPUT, vectors), (OUTPUT, w.types.vector), (OUTPUT, vectors)] {
        let pointer = w.pointer(class, ty);
        let variable = w.id();
        put(&mut w.globals, op::VARIABLE, &[pointer, variable, class]);
        interface.push(variable);
    }
    // Variables that functions share.
    for (n, ty) in w.variable_types().into_iter().enumerate() {
        let (pointer, variable) = (w.pointer(PRIVATE, ty), w.id());
        put(&mut w.globals, op::VARIABLE, &[pointer, variable, PRIVATE]);
        w.variables[n].push(variable);
    }
    for _ in 0..2 {
        w.function();
    }
    let main = w.main(&interface, vectors);
    let mut words = vec![MAGIC, 0x0001_0000, 0, w.next, 0];
    // Shader, Float64, Int64.
    for capability in [1, 10, 11] {
        put(&mut words, op::CAPABILITY, &[capability]);
    }
    let mut import = vec![w.types.set];
    import.extend(b"GLSL.std.450\0\0\0\0".chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])));
    put(&mut words, op::EXT_INST_IMPORT, &import);
    put(&mut words, op::MEMORY_MODEL, &[0, 1]);
    let mut entry = vec![4, main, u32::from_le_bytes(*b"main"), 0];
    entry.extend(&interface);
    put(&mut words, op::ENTRY_POINT, &entry);
    put(&mut words, op::EXECUTION_MODE, &[main, 7]);
    for (n, variable) in interface.iter().enumerate() {
        put(&mut words, op::DECORATE, &[*variable, 30, n as u32 % 2]);
        if n == 1 {
            put(&mut words, op::DECORATE, &[*variable, 14]);
        }
    }
    words.extend(&w.globals);
    words.extend(&w.code);
    words
}

impl Writer<'_> {
    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn pointer(&mut self, class: u32, to: u32) -> u32 {
        let key = (op::TYPE_POINTER << 16 | class, u64::from(to));
        if let Some(known) = self.constants.get(&key) {
            return *known;
        }
        let id = self.id();
        put(&mut self.globals, op::TYPE_POINTER, &[id, class, to]);
        self.constants.insert(key, id);
        id
    }

    fn constant(&mut self, ty: u32, bits: u64) -> u32 {
        if let Some(known) = self.constants.get(&(ty, bits)) {
            return *known;
        }
        let id = self.id();
        let words = [ty, id, bits as u32, (bits >> 32) as u32];
        let is_wide = ty == self.types.double || ty == self.types.long;
        put(&mut self.globals, op::CONSTANT, &words[..if is_wide { 4 } else { 3 }]);
        self.constants.insert((ty, bits), id);
        id
    }

    fn int(&mut self, value: u32) -> u32 {
        self.constant(self.types.int, u64::from(value))
    }

    fn ty(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Float => self.types.float,
            Kind::Int => self.types.int,
            Kind::Vector => self.types.vector,
            Kind::Double => self.types.double,
            Kind::Long => self.types.long,
        }
    }

    /// In the order of the variables.
    fn variable_types(&self) -> [u32; 4] {
        let Types { float, array, double, doubles, .. } = self.types;
        [float, array, double, doubles]
    }

    fn emit(&mut self, op: u32, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        let mut words = vec![ty, id];
        words.extend(operands);
        put(&mut self.code, op, &words);
        id
    }

    fn label(&mut self, label: u32) {
        put(&mut self.code, op::LABEL, &[label]);
        self.block = label;
    }

    fn branch(&mut self, to: u32) {
        put(&mut self.code, op::BRANCH, &[to]);
    }

    /// A value of a kind: one that is defined, or a constant.
    fn pick(&mut self, kind: Kind) -> u32 {
        let known: Vec<u32> = self.values.iter().filter(|(k, _)| *k == kind).map(|(_, id)| *id).collect();
        if !known.is_empty() && self.random.below(5) > 0 {
            // Later ones more often.
            let at = self.random.below(known.len() as u64).max(self.random.below(known.len() as u64));
            return known[at as usize];
        }
        match kind {
            Kind::Float => {
                let value = (self.random.below(17) as f32 - 8.0) * 0.375;
                self.constant(self.types.float, u64::from(value.to_bits()))
            }
            Kind::Double => {
                let value = (self.random.below(33) as f64 - 16.0) * 0.3;
                self.constant(self.types.double, value.to_bits())
            }
            Kind::Long => {
                let value = self.random.below(1 << 40).wrapping_sub(1 << 39);
                self.constant(self.types.long, value)
            }
            Kind::Int => {
                let value = self.random.below(12) as u32;
                self.int(value.wrapping_sub(3))
            }
            Kind::Vector => {
                let parts = [0; 4].map(|_| self.pick(Kind::Float));
                self.emit(op::COMPOSITE_CONSTRUCT, self.types.vector, &parts)
            }
        }
    }

    fn condition(&mut self) -> u32 {
        let (op, kind) = self.random.pick(&[
            (op::F_ORD_LESS_THAN, Kind::Float),
            (op::F_UNORD_GREATER_THAN_EQUAL, Kind::Float),
            (op::S_LESS_THAN, Kind::Int),
            (op::U_LESS_THAN, Kind::Int),
            (op::I_EQUAL, Kind::Int),
            (op::F_ORD_LESS_THAN, Kind::Double),
            (op::F_UNORD_GREATER_THAN_EQUAL, Kind::Double),
            (op::S_LESS_THAN, Kind::Long),
            (op::U_LESS_THAN, Kind::Long),
        ]);
        let operands = [self.pick(kind), self.pick(kind)];
        self.emit(op, self.types.boolean, &operands)
    }

    /// One value more.
    fn compute(&mut self) {
        let (float, int, vector) = (self.types.float, self.types.int, self.types.vector);
        let (kind, id) = match self.random.below(17) {
            15 | 16 => self.convert(),
            0..3 => {
                let op = self.random.pick(&[op::F_ADD, op::F_SUB, op::F_MUL]);
                let kind = self.random.pick(&[Kind::Float, Kind::Float, Kind::Vector, Kind::Double]);
                let operands = [self.pick(kind), self.pick(kind)];
                (kind, self.emit(op, self.ty(kind), &operands))
            }
            3..5 => {
                let op = self.random.pick(&[op::I_ADD, op::I_SUB, op::I_MUL, op::AND, op::OR, op::XOR]);
                let kind = self.random.pick(&[Kind::Int, Kind::Int, Kind::Long]);
                let operands = [self.pick(kind), self.pick(kind)];
                (kind, self.emit(op, self.ty(kind), &operands))
            }
            5 => {
                let op = self.random.pick(&[op::SHIFT_LEFT, op::SHIFT_RIGHT]);
                let (kind, bits) = self.random.pick(&[(Kind::Int, 32), (Kind::Long, 64)]);
                let (value, by) = (self.pick(kind), self.random.below(bits) as u32);
                let by = self.int(by);
                (kind, self.emit(op, self.ty(kind), &[value, by]))
            }
            6 => {
                let (value, op) = (self.pick(Kind::Int), self.random.pick(&[op::CONVERT_S_TO_F, op::CONVERT_U_TO_F]));
                (Kind::Float, self.emit(op, float, &[value]))
            }
            7 => {
                let number = self.random.pick(&GLSL);
                let count = if matches!(number, 37 | 40) { 2 } else { 1 };
                let mut operands = vec![self.types.set, number];
                let kind = self.random.pick(&[Kind::Float, Kind::Double]);
                operands.extend((0..count).map(|_| self.pick(kind)).collect::<Vec<_>>());
                (kind, self.emit(op::EXT_INST, self.ty(kind), &operands))
            }
            8 => {
                let (test, kind) = (self.condition(), self.random.pick(&PASSED));
                let operands = [test, self.pick(kind), self.pick(kind)];
                (kind, self.emit(op::SELECT, self.ty(kind), &operands))
            }
            9 => {
                let (value, at) = (self.pick(Kind::Vector), self.random.below(4) as u32);
                (Kind::Float, self.emit(op::COMPOSITE_EXTRACT, float, &[value, at]))
            }
            10 => {
                let mut operands = vec![self.pick(Kind::Vector), self.pick(Kind::Vector)];
                operands.extend([0; 4].map(|_| self.random.below(8) as u32));
                (Kind::Vector, self.emit(op::VECTOR_SHUFFLE, vector, &operands))
            }
            11 => {
                let operands = [self.pick(Kind::Vector), self.pick(Kind::Vector)];
                (Kind::Float, self.emit(op::DOT, float, &operands))
            }
            12 => {
                let (value, kind) = (self.pick(Kind::Float), Kind::Int);
                (kind, self.emit(op::BITCAST, int, &[value]))
            }
            13 => {
                let kind = self.random.pick(&[Kind::Float, Kind::Double]);
                let value = self.pick(kind);
                (kind, self.emit(op::F_NEGATE, self.ty(kind), &[value]))
            }
            _ => {
                let kind = self.random.pick(&[Kind::Float, Kind::Double]);
                let pointer = self.place(kind);
                (kind, self.emit(op::LOAD, self.ty(kind), &[pointer]))
            }
        };
        self.values.push((kind, id));
    }

    /// A value of 64 bits from another kind, or the other way round.
    fn convert(&mut self) -> (Kind, u32) {
        use Kind::{Double, Float, Int, Long};
        let (op, from, to) = self.random.pick(&[
            (op::F_CONVERT, Float, Double),
            (op::F_CONVERT, Double, Float),
            (op::CONVERT_S_TO_F, Int, Double),
            (op::CONVERT_U_TO_F, Long, Double),
            (op::CONVERT_S_TO_F, Long, Float),
            (op::CONVERT_F_TO_S, Double, Int),
            (op::CONVERT_F_TO_S, Double, Long),
            (op::CONVERT_F_TO_U, Float, Long),
            (op::S_CONVERT, Int, Long),
            (op::U_CONVERT, Int, Long),
            (op::U_CONVERT, Long, Int),
            (op::BITCAST, Double, Long),
            (op::BITCAST, Long, Double),
            (op::EXT_INST, Int, Double),
        ]);
        let value = self.pick(from);
        let operands = match op {
            op::EXT_INST => {
                let high = self.pick(from);
                let pair = self.emit(op::COMPOSITE_CONSTRUCT, self.types.pair, &[value, high]);
                vec![self.types.set, PACK_DOUBLE, pair]
            }
            _ => vec![value],
        };
        (to, self.emit(op, self.ty(to), &operands))
    }

    /// A pointer to a float or double: a variable, or an element of an array at an index that is a value.
    fn place(&mut self, kind: Kind) -> u32 {
        let first = if kind == Kind::Double { 2 } else { 0 };
        if self.random.below(2) == 0 {
            let variables = self.variables[first].clone();
            return self.random.pick(&variables);
        }
        let arrays = self.variables[first + 1].clone();
        let array = self.random.pick(&arrays);
        let class = if array == arrays[0] { PRIVATE } else { FUNCTION };
        let (value, three) = (self.pick(Kind::Int), self.int(3));
        let index = match self.random.below(2) {
            0 => {
                let n = self.random.below(4) as u32;
                self.int(n)
            }
            _ => self.emit(op::AND, self.types.int, &[value, three]),
        };
        let pointer = self.pointer(class, self.ty(kind));
        self.emit(op::ACCESS_CHAIN, pointer, &[array, index])
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(4) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.random.below(if depth < 3 { 12 } else { 7 }) {
                0..5 => self.compute(),
                5 => {
                    let kind = self.random.pick(&[Kind::Float, Kind::Double]);
                    let (place, value) = (self.place(kind), self.pick(kind));
                    put(&mut self.code, op::STORE, &[place, value]);
                }
                6 => {
                    let functions = self.functions.clone();
                    if functions.is_empty() {
                        continue;
                    }
                    let arguments = [Kind::Float, Kind::Int, Kind::Double].map(|kind| self.pick(kind));
                    let mut operands = vec![self.random.pick(&functions)];
                    operands.extend(arguments);
                    let id = self.emit(op::FUNCTION_CALL, self.types.float, &operands);
                    self.values.push((Kind::Float, id));
                }
                7 | 8 => self.branching(depth),
                9 => self.switch(depth),
                _ if self.loops < 4 => self.looping(depth),
                _ => self.compute(),
            }
        }
    }

    /// The statements of an arm: label, body, branch to the merge block. Gives the block that it ends in, and a value of each kind.
    fn arm(&mut self, label: u32, merge: u32, depth: u32) -> (u32, [u32; 4]) {
        let known = self.values.len();
        self.label(label);
        self.statements(depth + 1);
        let passed = PASSED.map(|kind| self.pick(kind));
        self.values.truncate(known);
        self.branch(merge);
        (self.block, passed)
    }

    fn phis(&mut self, arms: &[(u32, [u32; 4])]) {
        for (n, kind) in PASSED.into_iter().enumerate() {
            let operands: Vec<u32> = arms.iter().flat_map(|(from, passed)| [passed[n], *from]).collect();
            let id = self.emit(op::PHI, self.ty(kind), &operands);
            self.values.push((kind, id));
        }
    }

    fn branching(&mut self, depth: u32) {
        let test = self.condition();
        let (then, other, merge) = (self.id(), self.id(), self.id());
        put(&mut self.code, op::SELECTION_MERGE, &[merge, 0]);
        put(&mut self.code, op::BRANCH_CONDITIONAL, &[test, then, other]);
        let arms = [self.arm(then, merge, depth), self.arm(other, merge, depth)];
        self.label(merge);
        self.phis(&arms);
    }

    /// A switch of three cases, of which the first may fall through to the second.
    fn switch(&mut self, depth: u32) {
        let selector = self.pick(Kind::Int);
        let labels = [self.id(), self.id(), self.id()];
        let merge = self.id();
        put(&mut self.code, op::SELECTION_MERGE, &[merge, 0]);
        put(
            &mut self.code,
            op::SWITCH,
            &[selector, labels[2], 0, labels[0], 5, labels[0], 1, labels[1], u32::MAX, labels[2]],
        );
        let falls = self.random.below(2) == 0;
        let mut arms = Vec::new();
        for (n, &label) in labels.iter().enumerate() {
            let to = if n == 0 && falls { labels[1] } else { merge };
            let arm = self.arm(label, to, depth);
            if to == merge {
                arms.push(arm);
            }
        }
        self.label(merge);
        self.phis(&arms);
    }

    /// A loop of a few iterations, some lanes more than others, left in the middle or at its head.
    fn looping(&mut self, depth: u32) {
        self.loops += 1;
        let (header, body, next, merge) = (self.id(), self.id(), self.id(), self.id());
        let (more, exit) = (self.id(), self.id());
        let (before, value, three) = (self.block, self.pick(Kind::Int), self.int(3));
        let count = self.emit(op::AND, self.types.int, &[value, three]);
        let (first, start) = (self.pick(Kind::Float), self.pick(Kind::Double));
        let (zero, one) = (self.int(0), self.int(1));
        let (counter, sum, counted, summed) = (self.id(), self.id(), self.id(), self.id());
        let (wide, widened) = (self.id(), self.id());
        self.branch(header);
        self.label(header);
        put(&mut self.code, op::PHI, &[self.types.int, counter, zero, before, counted, next]);
        put(&mut self.code, op::PHI, &[self.types.float, sum, first, before, summed, next]);
        put(&mut self.code, op::PHI, &[self.types.double, wide, start, before, widened, next]);
        let known = self.values.len();
        self.values.extend([(Kind::Int, counter), (Kind::Float, sum), (Kind::Double, wide)]);
        let test = self.emit(op::U_LESS_THAN, self.types.boolean, &[counter, count]);
        put(&mut self.code, op::LOOP_MERGE, &[merge, next, 0]);
        put(&mut self.code, op::BRANCH_CONDITIONAL, &[test, body, exit]);
        self.label(exit);
        self.branch(merge);
        self.label(body);
        self.statements(depth + 1);
        let leaves = self.condition();
        let (leaving, passed, added) = (self.block, self.pick(Kind::Float), self.pick(Kind::Double));
        // To the merge block or on.
        put(&mut self.code, op::BRANCH_CONDITIONAL, &[leaves, merge, more]);
        self.label(more);
        let grown = self.emit(op::F_ADD, self.types.float, &[sum, passed]);
        self.branch(next);
        self.label(next);
        put(&mut self.code, op::I_ADD, &[self.types.int, counted, counter, one]);
        put(&mut self.code, op::F_SUB, &[self.types.float, summed, grown, first]);
        put(&mut self.code, op::F_ADD, &[self.types.double, widened, wide, added]);
        self.branch(header);
        self.values.truncate(known);
        self.label(merge);
        let float = self.emit(op::PHI, self.types.float, &[sum, exit, passed, leaving]);
        let int = self.emit(op::PHI, self.types.int, &[counter, exit, counter, leaving]);
        let double = self.emit(op::PHI, self.types.double, &[wide, exit, added, leaving]);
        self.values.extend([(Kind::Float, float), (Kind::Int, int), (Kind::Double, double)]);
    }

    /// A function of a float, an int and a double that may return early or end the invocation.
    fn function(&mut self) {
        let (float, int) = (self.types.float, self.types.int);
        let key = (op::TYPE_FUNCTION << 16, 0);
        let ty = match self.constants.get(&key) {
            Some(known) => *known,
            None => {
                let ty = self.id();
                put(&mut self.globals, op::TYPE_FUNCTION, &[ty, float, float, int, self.types.double]);
                self.constants.insert(key, ty);
                ty
            }
        };
        let known = self.values.clone();
        self.values.clear();
        let function = self.emit(op::FUNCTION, float, &[0, ty]);
        for kind in [Kind::Float, Kind::Int, Kind::Double] {
            let id = self.emit(op::FUNCTION_PARAMETER, self.ty(kind), &[]);
            self.values.push((kind, id));
        }
        let label = self.id();
        self.label(label);
        self.variables();
        self.budget = 12;
        self.statements(1);
        let (test, early, late) = (self.condition(), self.id(), self.id());
        put(&mut self.code, op::SELECTION_MERGE, &[late, 0]);
        put(&mut self.code, op::BRANCH_CONDITIONAL, &[test, early, late]);
        self.label(early);
        if self.random.below(6) == 0 {
            put(&mut self.code, op::KILL, &[]);
        } else {
            let value = self.pick(Kind::Float);
            put(&mut self.code, op::RETURN_VALUE, &[value]);
        }
        self.label(late);
        self.statements(1);
        let value = self.pick(Kind::Float);
        put(&mut self.code, op::RETURN_VALUE, &[value]);
        put(&mut self.code, op::FUNCTION_END, &[]);
        self.values = known;
        // Those of all functions stay.
        self.variables.iter_mut().for_each(|variables| variables.truncate(1));
        self.functions.push(function);
    }

    fn variables(&mut self) {
        for (n, ty) in self.variable_types().into_iter().enumerate() {
            let pointer = self.pointer(FUNCTION, ty);
            let variable = self.emit(op::VARIABLE, pointer, &[FUNCTION]);
            self.variables[n].push(variable);
        }
        self.clear(FUNCTION, self.variables[0].len() - 1);
    }

    /// Sets variables to zero, by number: what is not written yet is undefined.
    fn clear(&mut self, class: u32, number: usize) {
        for (first, kind) in [(0, Kind::Float), (2, Kind::Double)] {
            let zero = self.constant(self.ty(kind), 0);
            let [variable, array] = [0, 1].map(|n| self.variables[first + n][number]);
            put(&mut self.code, op::STORE, &[variable, zero]);
            let pointer = self.pointer(class, self.ty(kind));
            for n in 0..4 {
                let index = self.int(n);
                let place = self.emit(op::ACCESS_CHAIN, pointer, &[array, index]);
                put(&mut self.code, op::STORE, &[place, zero]);
            }
        }
    }

    fn main(&mut self, interface: &[u32], vectors: u32) -> u32 {
        let ty = self.id();
        put(&mut self.globals, op::TYPE_FUNCTION, &[ty, self.types.void]);
        let main = self.emit(op::FUNCTION, self.types.void, &[0, ty]);
        let label = self.id();
        self.label(label);
        self.variables();
        self.clear(PRIVATE, 0);
        let vector = self.emit(op::LOAD, self.types.vector, &[interface[0]]);
        let ints = self.emit(op::LOAD, vectors, &[interface[1]]);
        self.values.push((Kind::Vector, vector));
        for n in 0..4 {
            let float = self.emit(op::COMPOSITE_EXTRACT, self.types.float, &[vector, n]);
            let int = self.emit(op::COMPOSITE_EXTRACT, self.types.int, &[ints, n]);
            self.values.extend([(Kind::Float, float), (Kind::Int, int)]);
        }
        let int = self.types.int;
        self.budget = 40;
        for _ in 0..4 {
            self.statements(0);
        }
        let floats = [0; 4].map(|_| self.pick(Kind::Float));
        let result = self.emit(op::COMPOSITE_CONSTRUCT, self.types.vector, &floats);
        put(&mut self.code, op::STORE, &[interface[2], result]);
        let mut words = vec![self.pick(Kind::Int), self.pick(Kind::Int)];
        let double = self.pick(Kind::Double);
        let pair = self.emit(op::BITCAST, self.types.pair, &[double]);
        words.extend([0, 1].map(|n| self.emit(op::COMPOSITE_EXTRACT, int, &[pair, n])));
        let result = self.emit(op::COMPOSITE_CONSTRUCT, vectors, &words);
        put(&mut self.code, op::STORE, &[interface[3], result]);
        put(&mut self.code, op::RETURN, &[]);
        put(&mut self.code, op::FUNCTION_END, &[]);
        main
    }
}
