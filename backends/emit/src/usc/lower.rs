//! From selected instructions to groups that can be written: attributes and literals loaded, shared registers where sources can name
//! them, operands of lookups in registers one after the other.

use super::INDEXED;
use super::forms::{Form, Lowering, choice, form, form_of, known, names};
use crate::form::{Arg, Args, Base, Instr, Move, Node, Relative, Relatives, Signs, Single, Value};
use crate::interface::Places;
use crate::notes::Notes;
use crate::scalar::{Selected, fill_room, room};
use parallax_core::{Func, Interp, SourceId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

const ONE: u32 = 0x3f80_0000;
const MINUS_ZERO: u32 = 0x8000_0000;
const MAGNITUDE: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
/// 2^23: from here on numbers are whole.
const LARGE: u32 = 0x4b00_0000;

/// A program whose groups can be written.
pub(super) struct Lowered {
    pub(super) body: Vec<Node>,
    pub(super) values: u32,
    /// Values that need registers one after the other.
    pub(super) groups: Vec<SmallVec<[Value; 4]>>,
    /// Whether there may be values that nobody reads.
    pub(super) drops: bool,
}

pub(super) struct Lower<'a> {
    func: &'a Func,
    places: &'a Places,
    notes: &'a mut Notes,
    out: Vec<Node>,
    values: u32,
    groups: Vec<SmallVec<[Value; 4]>>,
    /// Literals and shared registers in registers, of the blocks that enclose this place.
    loaded: Vec<FxHashMap<Base, Value>>,
    /// What addresses of constants are added to.
    relatives: Relatives,
    /// Whether they stay there for others.
    keeps: bool,
    /// Components of attributes that are read: the first and the last.
    read: FxHashMap<u16, (u8, u8)>,
    inputs: FxHashMap<(u16, u8), Value>,
    /// Iterations, in front of everything else.
    front: Vec<Node>,
    /// Comparisons of this block: the test, whether its outcome is the opposite, and what it compares.
    compared: FxHashMap<Value, (&'static str, bool, [Arg; 2])>,
    /// Whether operands were dropped.
    drops: bool,
    origin: Option<SourceId>,
}

/// Lowers a program, whose statements are taken. `keeps`: whether literals stay in registers for several readers.
pub(super) fn lower(func: &Func, selected: &mut Selected, keeps: bool, notes: &mut Notes) -> Lowered {
    let Selected { body, relatives, numbers, places, attributes, .. } = selected;
    let mut read: FxHashMap<u16, (u8, u8)> = FxHashMap::default();
    for &(index, comp) in &*attributes {
        let (first, last) = read.entry(index).or_insert((comp, comp));
        (*first, *last) = ((*first).min(comp), (*last).max(comp));
    }
    // One iteration for each attribute.
    let iterations = read.len();
    let mut lower = Lower {
        func,
        places,
        notes,
        out: room(iterations, body.len()),
        values: numbers.count,
        groups: Vec::new(),
        loaded: vec![FxHashMap::default()],
        relatives: relatives.clone(),
        keeps,
        read,
        inputs: FxHashMap::default(),
        front: Vec::new(),
        compared: FxHashMap::default(),
        drops: false,
        origin: None,
    };
    body.iter_mut().for_each(|node| lower.node(node));
    let Lower { mut out, values, groups, front, drops, .. } = lower;
    fill_room(&mut out, iterations, front);
    Lowered { body: out, values, groups, drops }
}

/// The special constant that has these bits (PowerVR Instruction Set Reference, appendix A.1).
pub(super) fn constant(bits: u32) -> Option<u16> {
    let (exponent, rest) = ((bits >> 23) as u16, bits & 0x7f_ffff);
    match bits {
        0..=31 => Some(bits as u16),
        _ if rest == 0 && (127..=137).contains(&exponent) => Some(64 + exponent - 127),
        _ if rest == 0 && (113..=126).contains(&exponent) => Some(75 + 126 - exponent),
        0x402d_f854 => Some(89),
        0x3fb5_04f3 => Some(91),
        0x3f35_04f3 => Some(92),
        0x3f49_0fdb => Some(93),
        0x3fc9_0fdb => Some(94),
        0x4049_0fdb => Some(95),
        0x40c9_0fdb => Some(131),
        MINUS_ZERO => Some(141),
        INFINITY => Some(142),
        u32::MAX => Some(143),
        0x7f7f_ffff => Some(148),
        LARGE => Some(149),
        _ => None,
    }
}

/// Whether a form takes an operand as it is. Signs of literals become part of them before.
fn takes(form: &Form, n: usize, arg: Arg) -> bool {
    let fits = match arg.base() {
        Base::Value(_) => true,
        Base::Imm(bits) => constant(bits).is_some() && !arg.has_signs(),
        Base::Const { .. } => form.narrow >> n & 1 == 0,
        Base::ConstAt { .. } | Base::Attr { .. } | Base::Buffer(_) | Base::System(..) => false,
    };
    fits && has_signs(form, n, arg.signs())
}

/// Whether a form takes signs at an operand.
const fn has_signs(form: &Form, n: usize, signs: Signs) -> bool {
    (!signs.negate || form.signed >> n & 1 != 0) && (!signs.absolute || form.absolute >> n & 1 != 0)
}

/// Whether there is nothing to lower.
fn is_lowered(form: &Form, single: &Single) -> bool {
    let is_plain = match form.lowering {
        Lowering::Nothing => true,
        Lowering::SecondIsNegated => !single.args[1].signs().negate,
        Lowering::Other => false,
    };
    is_plain && (form.clamps || !single.saturate) && single.args.iter().enumerate().all(|(n, &arg)| takes(form, n, arg))
}

impl Lower<'_> {
    fn fresh(&mut self) -> Value {
        self.values += 1;
        self.values - 1
    }

    fn inner(&mut self, nodes: &mut [Node]) -> Vec<Node> {
        self.loaded.push(FxHashMap::default());
        self.compared.clear();
        let outer = std::mem::replace(&mut self.out, room(0, nodes.len()));
        nodes.iter_mut().for_each(|node| self.node(node));
        self.compared.clear();
        self.loaded.pop();
        std::mem::replace(&mut self.out, outer)
    }

    /// What a statement becomes, of which not everything is left there.
    fn node(&mut self, node: &mut Node) {
        match node {
            Node::Single(single) => {
                let form = form_of(&single.row);
                if is_lowered(form, single) {
                    return self.out.push(Node::Single(single.clone()));
                }
                self.origin = single.origin;
                let mut args = single.args;
                args.iter_mut().for_each(|arg| *arg = self.resolved(*arg));
                self.computes(form, single.saturate, args, single.result);
            }
            Node::Op(instr) if instr.texture.is_some() => {
                self.origin = instr.origin;
                if let Node::Op(instr) = node.taken() {
                    self.lookup(instr);
                }
            }
            Node::Op(instr) => self.instr(instr),
            Node::Moves(moves) => {
                // What was compared may be something else now.
                self.compared.clear();
                moves.iter_mut().for_each(|one| *one = self.moved(*one));
                self.out.push(node.taken());
            }
            &mut Node::If { condition, test, ref mut then, ref mut other } => {
                let condition = Arg::value(self.register(condition));
                let (then, other) = (self.inner(then), self.inner(other));
                self.out.push(Node::If { condition, test, then, other });
            }
            &mut Node::Loop { id, rounds, ends, ref mut body } => {
                let body = self.inner(body);
                self.out.push(Node::Loop { id, rounds, ends, body });
            }
            other => self.out.push(other.taken()),
        }
    }

    /// A move of what needs no group of its own.
    fn moved(&mut self, one: Move) -> Move {
        let from = self.resolved(one.from);
        let is_simple = !from.has_signs() && !matches!(from.base(), Base::Imm(bits) if constant(bits).is_none());
        if is_simple {
            return Move { from, ..one };
        }
        Move { from: Arg::value(self.register(from)), ..one }
    }

    fn instr(&mut self, instr: &Instr) {
        self.origin = instr.origin;
        let form = form_of(&instr.row);
        let args = instr
            .operands
            .iter()
            .map(|operand| Arg::new(operand.lanes[0].unwrap_or(Base::Imm(0)), operand.signs))
            .map(|arg| self.resolved(arg))
            .collect();
        if form.name == names::KILL {
            // Any component below zero.
            for lane in instr.operands[0].lanes.iter().flatten() {
                let arg = self.resolved(Arg::new(*lane, instr.operands[0].signs));
                self.legal(form, false, Args::of(&[arg]), None);
            }
            return;
        }
        match instr.results.iter().flatten().copied().next() {
            Some(to) => self.computes(form, instr.saturate, args, to),
            None => self.drops = true,
        }
    }

    /// An instruction on operands that are no attributes.
    fn computes(&mut self, form: &'static Form, saturate: bool, args: Args, to: Value) {
        match form.name {
            names::MIN | names::MAX if args.len() == 2 => self.least(form.name == names::MAX, saturate, &args, to),
            names::FADD if args[1].signs().negate || self.is_crowded(&args) => {
                // A product with 1 is exact.
                self.notes.inexact_elsewhere(AS_MAD);
                let args = Args::of(&[args[0], Arg::imm(ONE), args[1]]);
                self.legal(known!(names::FMAD), saturate, args, Some(to));
            }
            names::FMUL if args[1].signs().negate => {
                self.notes.inexact_elsewhere(AS_MAD);
                let args = Args::of(&[args[0], args[1], Arg::imm(MINUS_ZERO)]);
                self.legal(known!(names::FMAD), saturate, args, Some(to));
            }
            names::SIN | names::COS => {
                self.notes.inexact(format!(
                    "`{}` as FRED, FSINC and a product: other bits under every rule that rounds all three",
                    form.name
                ));
                self.legal(form, saturate, args, Some(to));
            }
            names::CHOOSE if self.choose(&args, to) => {}
            names::UBFE | names::IBFE | names::BFI => self.field(form.name, &args, to),
            names::PACK => self.halves(&args, to),
            names::TRUNC | names::RINT => self.whole(form.name, saturate, args[0], to),
            names::LSB | names::IMSB => self.bit(form.name, args[0], to),
            names::MOV if saturate => self.legal(known!(names::CLAMP), false, args, Some(to)),
            _ => {
                if let (Some((test, is_opposite)), &[a, b]) = (form.tested, &args[..]) {
                    self.compared.insert(to, (test, is_opposite, [a, b]));
                }
                self.legal(form, saturate, args, Some(to));
            }
        }
    }

    /// A choice that makes its comparison itself: between what is compared, or that and another operand.
    fn choose(&mut self, args: &[Arg], to: Value) -> bool {
        let &[condition, then, other] = args else { return false };
        let Base::Value(value) = condition.base() else { return false };
        let Some(&(test, is_opposite, compared)) = self.compared.get(&value) else { return false };
        let (then, other) = if is_opposite { (other, then) } else { (then, other) };
        let letter = |arm: Arg| match compared.iter().position(|of| *of == arm) {
            Some(0) => 'A',
            Some(_) => 'B',
            None => 'X',
        };
        let Some(form) = choice(test, letter(then), letter(other)) else { return false };
        self.drops = true;
        let further = [then, other].into_iter().find(|&arm| letter(arm) == 'X');
        self.legal(form, false, compared.into_iter().chain(further).collect(), Some(to));
        true
    }

    /// The whole number next to a number in the direction of zero, or the nearest: of the magnitude, with the sign of the operand.
    fn whole(&mut self, name: &str, saturate: bool, of: Arg, to: Value) {
        let plain = |value| Arg::value(value);
        let of = plain(self.register(of));
        let size = plain(self.result(known!(names::QUIET), &[of.magnitude()]));
        let rounded = if name == names::TRUNC {
            self.result(known!(names::FLOOR), &[size])
        } else {
            self.notes.inexact_elsewhere(
                "`rint` as a sum with 2^23 and back: other bits under rules that round sums otherwise than to nearest even",
            );
            let large = Arg::imm(LARGE);
            let above = plain(self.result(known!(names::FADD), &[size, large]));
            let back = self.fresh();
            let args = Args::of(&[above, Arg::imm(ONE), large.negated()]);
            self.legal(known!(names::FMAD), false, args, Some(back));
            let is_small = plain(self.result(form("tstl.f32 bits"), &[size, large]));
            self.result(known!(names::CHOOSE), &[is_small, plain(back), size])
        };
        let signed = if saturate { self.fresh() } else { to };
        self.merge(Args::of(&[Arg::imm(MAGNITUDE), plain(rounded), of]), signed);
        if saturate {
            self.legal(known!(names::CLAMP), false, Args::of(&[plain(signed)]), Some(to));
        }
    }

    /// Two numbers as halves of a word: PCK fills the lower one from one register.
    fn halves(&mut self, args: &[Arg], to: Value) {
        if args[1].bits() == Some(0) {
            return self.legal(known!(names::PACK), false, Args::of(&[args[0]]), Some(to));
        }
        let [low, high] = [args[0], args[1]].map(|arg| Arg::value(self.result(known!(names::PACK), &[arg])));
        let high = Arg::value(self.result(known!(names::SHL), &[high, Arg::imm(16)]));
        self.legal(known!(names::OR), false, Args::of(&[low, high]), Some(to));
    }

    /// The number of the lowest bit, or of the highest one that differs from the sign; all bits where there is none.
    fn bit(&mut self, name: &str, of: Arg, to: Value) {
        let plain = |value| Arg::value(value);
        let last = if name == names::LSB {
            let reversed = plain(self.result(known!(names::BREV), &[of]));
            let top = plain(self.result(known!(names::UMSB), &[reversed]));
            let lowest = plain(self.result(known!(names::ISUB), &[Arg::imm(31), top]));
            return self.legal(known!(names::CHOOSE), false, Args::of(&[of, lowest, Arg::imm(u32::MAX)]), Some(to));
        } else {
            let sign = plain(self.result(known!(names::ISHR), &[of, Arg::imm(31)]));
            plain(self.result(known!(names::XOR), &[of, sign]))
        };
        self.legal(known!(names::UMSB), false, Args::of(&[last]), Some(to));
    }

    /// A field of known length.
    fn field(&mut self, name: &'static str, args: &[Arg], to: Value) {
        let behind = args.len() - 2;
        if let (names::UBFE | names::IBFE, None, Some(1..=31)) = (name, args[1].bits(), args[2].bits()) {
            // A place that nobody knows: the word is moved first.
            let down = if name == names::UBFE { names::USHR } else { names::ISHR };
            let moved = Arg::value(self.result(form(down), &args[..2]));
            return self.field(name, &[moved, Arg::imm(0), args[2]], to);
        }
        let (Some(offset), Some(width)) = (args[behind].bits(), args[behind + 1].bits()) else {
            self.notes.refuse("fields of words at computed places: not written for USC yet", self.origin);
            return;
        };
        let offset = offset & 31;
        let width = match (name, width) {
            (names::BFI, 32) => {
                self.drops = true;
                return self.legal(known!(names::MOV), false, Args::of(&[args[1]]), Some(to));
            }
            (_, 32) if offset == 0 => 32,
            (_, width) => width & 31,
        };
        let shifted = |lower: &mut Self, name, by: u32, of: Arg| {
            if by == 0 {
                return of;
            }
            Arg::plain(Base::Value(lower.result(form(name), &[of, Arg::imm(by)])))
        };
        // What is beyond the highest bit does not count.
        let width = width.min(32 - offset);
        if name == names::BFI {
            let mask = if width == 32 { u32::MAX } else { ((1 << width) - 1) << offset };
            let value = shifted(self, names::SHL, offset, args[1]);
            let args = Args::of(&[Arg::imm(mask), value, args[0]]);
            return self.merge(args, to);
        }
        if width == 0 {
            self.drops = true;
            return self.legal(known!(names::MOV), false, Args::of(&[Arg::imm(0)]), Some(to));
        }
        let top = shifted(self, names::SHL, 32 - offset - width, args[0]);
        let down = if name == names::UBFE { names::USHR } else { names::ISHR };
        let value = shifted(self, down, 32 - width, top);
        self.legal(known!(names::MOV), false, Args::of(&[value]), Some(to));
    }

    /// Bits of one word and the others of another. The mask stands in the group.
    fn merge(&mut self, args: Args, to: Value) {
        let mut args = args;
        args[1..].iter_mut().for_each(|arg| *arg = Arg::value(self.register(*arg)));
        self.put(known!(names::MERGE), false, &args, Some(to));
    }

    /// Whether the second operand can only be read as a third one.
    fn is_crowded(&self, args: &[Arg]) -> bool {
        matches!(args[1].base(), Base::Const { .. })
    }

    /// The smaller or larger of two numbers. A test tells neither +0 from -0 nor what to do with NaN. So two groups replace NaN by the other
    /// operand, and a third takes the operand that the sign of the difference says: it tells zeros apart as well.
    fn least(&mut self, is_max: bool, saturate: bool, args: &[Arg], to: Value) {
        let (mut a, mut b) = (args[0], args[1]);
        if a.bits().is_some() && b.bits().is_none() {
            (a, b) = (b, a);
        }
        let result = if saturate { self.fresh() } else { to };
        match b.bits().filter(|bits| bits & MAGNITUDE <= INFINITY) {
            Some(known) => {
                let name = match (known, is_max) {
                    // The other zero is chosen where both are equal.
                    (0, false) => names::LESS_EQUAL,
                    (MINUS_ZERO, true) => names::GREATER_EQUAL,
                    (_, true) => names::GREATER,
                    (_, false) => names::LESS,
                };
                self.legal(form(name), false, Args::of(&[a, b]), Some(result));
            }
            None => {
                self.notes.inexact_elsewhere(
                    "`min` and `max` by the sign of a difference: other bits under rules that flush denormals or compare NaN in their own way",
                );
                let form = if is_max { known!(names::LARGER) } else { known!(names::SMALLER) };
                self.legal(form, false, Args::of(&[a, b]), Some(result));
            }
        }
        if saturate {
            self.legal(known!(names::CLAMP), false, Args::of(&[Arg::value(result)]), Some(to));
        }
    }

    /// The value that a form leaves.
    fn result(&mut self, form: &'static Form, args: &[Arg]) -> Value {
        let value = self.fresh();
        self.legal(form, false, Args::of(args), Some(value));
        value
    }

    /// A lookup: its operands in registers one after the other, and its results.
    fn lookup(&mut self, mut instr: Box<Instr>) {
        let mut moves = Vec::new();
        let mut copies: SmallVec<[Value; 4]> = SmallVec::new();
        let signs = instr.operands[0].signs;
        for base in instr.operands[0].bases() {
            let to = self.fresh();
            let from = self.resolved(Arg::new(base, signs));
            moves.push(self.moved(Move { to, from }));
            copies.push(to);
        }
        let operand = &mut instr.operands[0];
        operand.signs = Signs::default();
        operand.lanes = [None; 4];
        operand.lanes.iter_mut().zip(&copies).for_each(|(lane, &copy)| *lane = Some(Base::Value(copy)));
        if !moves.is_empty() {
            self.out.push(Node::Moves(moves));
        }
        self.groups.push(copies);
        // Channels follow each other from the first on.
        let count = instr.results.iter().rposition(Option::is_some).map_or(1, |last| last + 1);
        let mut clamped: SmallVec<[(Value, Value); 4]> = SmallVec::new();
        for result in instr.results.iter_mut().take(count) {
            let raw = match *result {
                Some(value) if !instr.saturate => value,
                _ => self.fresh(),
            };
            if let Some(value) = *result
                && instr.saturate
            {
                clamped.push((raw, value));
            }
            *result = Some(raw);
        }
        self.groups.push(instr.results.iter().flatten().copied().collect());
        self.out.push(Node::Op(instr));
        for (raw, result) in clamped {
            let raw = Args::of(&[Arg::value(raw)]);
            self.legal(known!(names::CLAMP), false, raw, Some(result));
        }
    }

    /// An operand that is no attribute.
    fn resolved(&mut self, arg: Arg) -> Arg {
        let base = match arg.base() {
            Base::Attr { index, comp } => Base::Value(self.input(index, comp)),
            Base::ConstAt { from, comp, at } => Base::Value(self.load(from, comp, at)),
            other => other,
        };
        let resolved = arg.with_base(base);
        resolved.bits().map_or(resolved, Arg::imm)
    }

    /// A constant at an address, whose index register counts words.
    fn load(&mut self, from: Relative, comp: u8, at: Value) -> Value {
        let key = Base::ConstAt { from, comp, at };
        if let Some(&known) = self.loaded.iter().rev().find_map(|scope| scope.get(&key)) {
            return known;
        }
        // An operand names the first shared registers alone: what is behind these, or in front of all, is added to the address.
        let (bank, base) = self.relatives.get(from);
        let first = self.places.first_of(bank);
        let vector = i64::from(first) + i64::from(base);
        let named = if (0..i64::from(INDEXED / 4)).contains(&vector) { vector as u32 } else { 0 };
        let added = (vector - i64::from(named)) as u32;
        // The address of the vector, which other components of it share.
        let address = Base::ConstAt { from: self.relatives.number(u16::MAX, added as i32), comp: 0, at };
        let known = self.loaded.iter().rev().find_map(|scope| scope.get(&address)).copied();
        let words = known.unwrap_or_else(|| {
            let mut from = at;
            if added != 0 {
                from = self.result(known!("iadd"), &[Arg::value(at), Arg::imm(added)]);
            }
            let words = self.result(known!(names::SHL), &[Arg::value(from), Arg::imm(2)]);
            self.keep(address, words);
            words
        });
        let constant = Arg::plain(Base::Const { bank, index: named.wrapping_sub(first), comp });
        let operands = Args::of(&[Arg::value(words), constant]);
        let value = self.fresh();
        self.put(known!(names::LOAD), false, &operands, Some(value));
        self.keep(key, value);
        value
    }

    fn keep(&mut self, base: Base, value: Value) {
        if let Some(scope) = self.loaded.last_mut() {
            scope.insert(base, value);
        }
    }

    /// A register that holds an operand.
    fn register(&mut self, arg: Arg) -> Value {
        let arg = self.resolved(arg);
        let is_plain = !arg.has_signs();
        if let (Base::Value(value), true) = (arg.base(), is_plain) {
            return value;
        }
        if is_plain
            && self.keeps
            && let Some(&known) = self.loaded.iter().rev().find_map(|scope| scope.get(&arg.base()))
        {
            return known;
        }
        let value = self.fresh();
        let name = match arg.base() {
            Base::Imm(bits) if constant(bits).is_none() => names::LITERAL,
            _ => names::MOV,
        };
        self.put(form(name), false, &[arg], Some(value));
        if let (true, Some(scope)) = (is_plain, self.loaded.last_mut()) {
            scope.insert(arg.base(), value);
        }
        value
    }

    /// A component of an attribute; all that are read come by one iteration in front of the program.
    fn input(&mut self, index: u16, comp: u8) -> Value {
        if let Some(&known) = self.inputs.get(&(index, comp)) {
            return known;
        }
        let (first, last) = self.read.get(&index).copied().unwrap_or((comp, comp));
        let interp = Places::declaration(&self.func.iface, index).interp;
        let name = if interp == Interp::Linear { names::LINEAR } else { names::PERSPECTIVE };
        let mut results = [None; 4];
        let mut group = SmallVec::new();
        for (result, comp) in results.iter_mut().zip(first..=last) {
            let value = self.fresh();
            self.inputs.insert((index, comp), value);
            group.push(value);
            *result = Some(value);
        }
        self.groups.push(group);
        let arg = Arg::plain(Base::Attr { index, comp: first });
        let Node::Op(mut instr) = self.made(form(name), false, Args::of(&[arg]), None) else {
            return 0;
        };
        instr.results = results;
        self.front.push(Node::Op(instr));
        self.inputs.get(&(index, comp)).copied().unwrap_or(0)
    }

    /// A group with operands that it can have.
    fn legal(&mut self, form: &'static Form, saturate: bool, mut args: Args, result: Option<Value>) {
        if saturate && !form.clamps {
            let raw = self.fresh();
            self.legal(form, false, args, Some(raw));
            let raw = Args::of(&[Arg::value(raw)]);
            return self.legal(known!(names::CLAMP), false, raw, result);
        }
        for (n, arg) in args.iter_mut().enumerate().filter(|(n, arg)| !takes(form, *n, **arg)) {
            *arg = match arg.base() {
                base @ (Base::Imm(_) | Base::Const { .. }) if has_signs(form, n, arg.signs()) => {
                    arg.with_base(Base::Value(self.register(Arg::plain(base))))
                }
                _ => Arg::value(self.register(*arg)),
            };
        }
        self.put(form, saturate, &args, result);
    }

    /// One more instruction.
    fn put(&mut self, form: &'static Form, saturate: bool, args: &[Arg], result: Option<Value>) {
        Node::put(&mut self.out, form.row(), saturate, args, result, self.origin);
    }

    fn made(&self, form: &'static Form, saturate: bool, args: Args, result: Option<Value>) -> Node {
        Node::of_scalars(form.row(), saturate, args, result, self.origin)
    }
}

const AS_MAD: &str = "a sum or product of operands that no source names as FMAD: other bits under rules whose multiply-add rounds twice or flushes";

#[cfg(test)]
mod tests {
    use super::constant;

    #[test]
    fn constants_are_those_of_the_reference() {
        let numbers = [(0.0f32, 0), (1.0, 64), (1024.0, 74), (0.5, 75), (1.0 / 16384.0, 88), (-0.0, 141)];
        for (number, constant_number) in numbers {
            assert_eq!(constant(number.to_bits()), Some(constant_number), "{number}");
        }
        assert_eq!((constant(31), constant(32), constant(u32::MAX)), (Some(31), None, Some(143)));
        assert_eq!((constant(3.0f32.to_bits()), constant((-1.0f32).to_bits())), (None, None));
    }
}
