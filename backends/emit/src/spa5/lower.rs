//! From selected instructions to those that can be written: operands where the set has room for them, inputs and constants loaded,
//! operands of lookups in registers one after the other.

use super::forms::{Doubles, Form, Leaves, Lowering, Short, When, form, form_of, names};
use super::kernel;
use crate::form::{Arg, Args, Base, Instr, Move, Node, Relative, Relatives, Signs, SystemValue, Test, Value};
use crate::interface::Places;
use crate::notes::Notes;
use crate::scalar::{Selected, fill_room, room};
use parallax_core::{AttrSemantic, EntityRef, Func, Interp, Location, OpKind, SourceId, Stage, SysVal, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

const ONE: u32 = 0x3f80_0000;
const HALF: u32 = 0x3f00_0000;
const MINUS_ONE: u32 = 0xbf80_0000;
/// The largest and the least whole number of 20 bits. No bank has so many vectors.
const MOST: u32 = 0x7ffff;
const LEAST: u32 = 0xfff8_0000;

/// Other programs ask for this by reading the number of their sample.
const ASKED: &str = "sample shading, which the draw has to ask for: other bits where it does not";

const DIVIDED: &str = "an attribute with perspective, as the attribute over w times w: other bits where w is not 1";

/// A program whose instructions can be written.
#[derive(Clone)]
pub(super) struct Lowered {
    pub(super) body: Vec<Node>,
    /// Which values are predicates, by number.
    pub(super) predicates: Vec<bool>,
    /// Values that need registers one after the other.
    pub(super) groups: Vec<SmallVec<[Value; 4]>>,
    /// Bytes of local memory, where arrays lie and values wait that have no register.
    pub(super) local: u32,
    /// Components of inputs that are read.
    pub(super) reads: Vec<(u16, u8)>,
}

pub(super) struct Lower<'a> {
    pub(super) func: &'a Func,
    notes: &'a mut Notes,
    pub(super) out: Vec<Node>,
    predicates: Vec<bool>,
    pub(super) groups: Vec<SmallVec<[Value; 4]>>,
    /// Constants and literals in registers, of the blocks that enclose this place.
    loaded: Vec<FxHashMap<Base, Value>>,
    /// What addresses of constants are added to.
    relatives: Relatives,
    /// Whether they stay there for others.
    keeps: bool,
    inputs: FxHashMap<(u16, u8), Base>,
    /// System values that are loaded.
    systems: FxHashMap<(SystemValue, u8), Value>,
    own_place: Option<Value>,
    /// Of kernels, the selected values that something reads.
    read: Vec<bool>,
    /// Bytes of arrays, if any is accessed.
    pub(super) local: u32,
    /// Components of inputs that are read.
    reads: Vec<(u16, u8)>,
    /// The reciprocal of 1/w, by location.
    widths: Vec<(Location, Value)>,
    /// Loads of inputs, in front of everything else.
    front: Vec<Node>,
    pub(super) origin: Option<SourceId>,
}

/// Lowers a program, whose statements are taken. `keeps`: whether constants stay in registers for several readers.
pub(super) fn lower(func: &Func, selected: &mut Selected, keeps: bool, notes: &mut Notes) -> Lowered {
    let Selected { body, relatives, numbers, attributes, predicates, .. } = selected;
    let mut predicates = std::mem::take(predicates);
    for (value, _) in func.values.iter().filter(|(_, data)| data.ty == Type::Pred) {
        if let Some(number) = numbers.get(value.index() as Value) {
            predicates[number as usize] = true;
        }
    }
    // An instruction for each component, and two for w.
    let is_divided = |&(index, _): &(u16, u8)| Places::declaration(&func.iface, index).interp == Interp::Perspective;
    let loads = attributes.len() + if attributes.iter().any(is_divided) { 2 } else { 0 };
    let mut lower = Lower {
        func,
        notes,
        out: room(loads, body.len()),
        predicates,
        groups: Vec::new(),
        loaded: vec![FxHashMap::default()],
        relatives: relatives.clone(),
        keeps,
        inputs: FxHashMap::default(),
        systems: FxHashMap::default(),
        own_place: None,
        read: Vec::new(),
        local: 0,
        reads: Vec::new(),
        widths: Vec::new(),
        front: Vec::new(),
        origin: None,
    };
    if func.iface.stage == Stage::Compute {
        lower.read = vec![false; numbers.count as usize];
        kernel::find_reads(body, &mut lower.read);
    }
    body.iter_mut().for_each(|node| lower.node(node));
    let mut body = lower.out;
    fill_room(&mut body, loads, lower.front);
    Lowered { body, predicates: lower.predicates, groups: lower.groups, local: lower.local, reads: lower.reads }
}

/// Whether a literal of 32 bits has a form of 20.
pub(super) fn fits(bits: u32, short: Short) -> bool {
    match short {
        Short::Float => bits & 0xfff == 0,
        Short::Whole => bits <= MOST || bits >= LEAST,
        Short::Lane => bits < 32,
    }
}

/// Whether an operand is no register: 0 is one.
const fn is_wide(base: Base) -> bool {
    match base {
        Base::Const { .. } => true,
        Base::Imm(bits) => bits != 0,
        _ => false,
    }
}

const fn is_nan(base: Base) -> bool {
    matches!(base, Base::Imm(bits) if bits & 0x7fff_ffff > 0x7f80_0000)
}

/// Whether a form takes signs at an operand.
const fn takes(form: &Form, n: usize, signs: Signs) -> bool {
    (!signs.negate || form.signed >> n & 1 != 0) && (!signs.absolute || form.absolute >> n & 1 != 0)
}

impl Lower<'_> {
    /// Whether something reads a selected value of a kernel.
    pub(super) fn is_read(&self, value: Value) -> bool {
        self.read.get(value as usize).is_none_or(|&is_read| is_read)
    }

    pub(super) fn fresh(&mut self, is_predicate: bool) -> Value {
        self.predicates.push(is_predicate);
        self.predicates.len() as Value - 1
    }

    fn inner(&mut self, nodes: &mut [Node]) -> Vec<Node> {
        self.loaded.push(FxHashMap::default());
        let outer = std::mem::replace(&mut self.out, room(0, nodes.len()));
        nodes.iter_mut().for_each(|node| self.node(node));
        self.loaded.pop();
        std::mem::replace(&mut self.out, outer)
    }

    /// What a statement becomes, of which not everything is left there.
    fn node(&mut self, node: &mut Node) {
        match node {
            Node::Single(single) => {
                self.origin = single.origin;
                self.computes(form_of(&single.row), single.saturate, single.args, Some(single.result));
            }
            Node::Op(instr) if instr.texture.is_some() => {
                self.origin = instr.origin;
                if let Node::Op(instr) = node.taken() {
                    self.lookup(instr);
                }
            }
            Node::Op(instr) => self.instr(instr),
            Node::Moves(moves) => {
                moves.iter_mut().for_each(|one| *one = self.moved(*one));
                self.out.push(node.taken());
            }
            &mut Node::If { condition, test, ref mut then, ref mut other } => {
                let condition = self.condition(condition, test);
                let (then, other) = (self.inner(then), self.inner(other));
                self.out.push(Node::If { condition, test: Test::Bits, then, other });
            }
            &mut Node::Loop { id, rounds, ends, ref mut body } => {
                let body = self.inner(body);
                self.out.push(Node::Loop { id, rounds, ends, body });
            }
            other => self.out.push(other.taken()),
        }
    }

    fn moved(&mut self, one: Move) -> Move {
        if self.predicates[one.to as usize] {
            return one;
        }
        let from = self.resolved(one.from);
        if !from.has_signs() {
            return Move { from, ..one };
        }
        let signed = self.fresh(false);
        self.signs(from, signed);
        Move { from: Arg::value(signed), ..one }
    }

    /// The condition of a branch as a predicate.
    fn condition(&mut self, condition: Arg, test: Test) -> Arg {
        match condition.base() {
            Base::Value(value) if self.predicates[value as usize] => condition,
            Base::Imm(bits) => {
                let holds = match test {
                    Test::Bits => bits != 0,
                    Test::Float => bits & 0x7fff_ffff != 0,
                };
                Arg::imm(if holds { u32::MAX } else { 0 })
            }
            _ => {
                let name = if test == Test::Float { names::TEST_FLOAT } else { names::TEST_WORD };
                let result = self.fresh(true);
                self.legal(form(name), false, Args::of(&[condition, Arg::imm(0)]), Some(result));
                Arg::value(result)
            }
        }
    }

    fn instr(&mut self, instr: &Instr) {
        self.origin = instr.origin;
        let form = form_of(&instr.row);
        if form.doubles != Doubles::Nowhere {
            return self.wide(form, instr.clone());
        }
        if self.pairs(form, instr) {
            return;
        }
        match (form.name, instr.operands.first().and_then(|operand| operand.lanes[0])) {
            (_, Some(Base::Buffer(buffer))) => return self.access(form, buffer, instr),
            (names::LOAD_ELEMENT | names::STORE_ELEMENT, Some(Base::Imm(array))) => {
                return self.element(form, array, instr);
            }
            _ => {}
        }
        let result = instr.results.iter().flatten().copied().next();
        let args = instr
            .operands
            .iter()
            .map(|operand| Arg::new(operand.lanes[0].unwrap_or(Base::Imm(0)), operand.signs))
            .collect();
        self.computes(form, instr.saturate, args, result);
    }

    /// An instruction with doubles: each in two registers one after the other.
    fn wide(&mut self, form: &Form, mut instr: Instr) {
        let mut moves = Vec::new();
        for operand in &mut instr.operands {
            match operand.lanes {
                [Some(low), Some(high), ..] => {
                    let pair = [low, high].map(|base| {
                        let (to, from) = (self.fresh(false), self.resolved(Arg::plain(base)));
                        moves.push(Move { to, from });
                        to
                    });
                    operand.lanes = [Some(Base::Value(pair[0])), Some(Base::Value(pair[1])), None, None];
                    self.groups.push(SmallVec::from_iter(pair));
                }
                [Some(base), ..] => {
                    let base = self.resolved(Arg::plain(base)).base();
                    operand.lanes[0] = Some(Base::Value(self.register(base)));
                }
                _ => {}
            }
        }
        if !moves.is_empty() {
            self.out.push(Node::Moves(moves));
        }
        if form.doubles == Doubles::Result {
            if instr.saturate {
                self.notes.refuse("clamped doubles: SPA 5.0 has none", self.origin);
            }
            // Both are written, whether somebody reads them or not.
            let pair = [0, 1].map(|n| instr.results[n].unwrap_or_else(|| self.fresh(false)));
            (instr.results[0], instr.results[1]) = (Some(pair[0]), Some(pair[1]));
            self.groups.push(SmallVec::from_iter(pair));
        }
        self.out.push(Node::Op(Box::new(instr)));
    }

    /// An instruction that is no lookup.
    pub(super) fn computes(&mut self, form: &'static Form, saturate: bool, args: Args, result: Option<Value>) {
        let Some(to) = result.or((form.leaves == Leaves::Nothing).then_some(0)) else { return };
        let first = args.first().copied().unwrap_or(Arg::imm(0));
        match form.lowering {
            Lowering::Move if saturate => self.legal(self::form(names::CLAMP), false, args, result),
            Lowering::Move if first.has_signs() => {
                let first = self.resolved(first);
                self.signs(first, to);
            }
            Lowering::Product if !saturate && self.is_multiplied(&args) => {
                // One instruction reads and multiplies.
                let load = self.made_of_input(self::form(names::INPUT), args, result);
                self.out.push(load);
            }
            Lowering::Subtraction if args[1].bits().is_some_and(|bits| bits != 0) => {
                let args = [first, Arg::imm(args[1].bits().unwrap_or(0).wrapping_neg())];
                self.legal(self::form(names::IADD), false, Args::of(&args), result);
            }
            Lowering::InputAtOffset => self.input_at_offset(form, args, to),
            Lowering::Difference => {
                self.difference(form.name, first, saturate, to);
            }
            Lowering::Choice if first.bits().is_some() => {
                let chosen = if first.bits() == Some(0) { args[2] } else { args[1] };
                self.legal(self::form(names::MOV), false, Args::of(&[chosen]), result);
            }
            Lowering::Prepared(prepares) => {
                let prepared = self.fresh(false);
                self.legal(self::form(prepares), false, args, Some(prepared));
                let args = Args::of(&[Arg::value(prepared)]);
                self.legal(form, saturate, args, result);
            }
            _ => self.legal(form, saturate, args, result),
        }
    }

    /// Whether a product is that of an attribute over w with a register.
    fn is_multiplied(&self, args: &[Arg]) -> bool {
        let &[attr, factor] = args else { return false };
        let (Base::Attr { index, .. }, Base::Value(_)) = (attr.base(), factor.base()) else { return false };
        let decl = super::inputs::declaration(&self.func.iface, index);
        let is_plain = !attr.has_signs() && !factor.has_signs();
        is_plain && decl.interp == Interp::OverW && decl.semantic != AttrSemantic::Position
    }

    /// An operand with signs as a value, bit for bit.
    fn signs(&mut self, from: Arg, to: Value) {
        let (name, mask) = match (from.signs().negate, from.signs().absolute) {
            (true, false) => (names::FLIP, 0x8000_0000),
            (false, true) => (names::CLEAR, 0x7fff_ffff),
            _ => (names::SET, 0x8000_0000),
        };
        let args = Args::of(&[Arg::plain(from.base()), Arg::imm(mask)]);
        self.legal(form(name), false, args, Some(to));
    }

    /// A difference between two lanes of the quad.
    fn difference(&mut self, name: &str, of: Arg, saturate: bool, to: Value) {
        self.notes
            .inexact("differences between neighbours as FADD of a negated operand: NaN operands keep the other sign");
        // Coarse differences are those of the lower row and of the left column.
        let (shuffle, lanes) = match name {
            names::DDX => (names::SHUFFLE, [2, 3]),
            names::DDY => (names::SHUFFLE, [0, 2]),
            names::DDX_FINE => (names::PAIR_X, [0, 1]),
            _ => (names::PAIR_Y, [0, 2]),
        };
        let of = self.resolved(of);
        let of = of.with_base(Base::Value(self.register(of.base())));
        let [near, far] = lanes.map(|lane| {
            let value = self.fresh(false);
            self.legal(form(shuffle), false, Args::of(&[of, Arg::imm(lane)]), Some(value));
            Arg::value(value)
        });
        self.legal(form(names::FADD), saturate, Args::of(&[far, near.negated()]), Some(to));
    }

    /// A lookup: its operands in registers one after the other.
    fn lookup(&mut self, mut instr: Box<Instr>) {
        let mut moves = Vec::new();
        let tex = instr.texture;
        let divisor = match tex.is_some_and(|tex| tex.project) {
            true => instr.operands.pop().and_then(|operand| operand.lanes[0]),
            false => None,
        };
        let divisor = divisor.map(|q| self.reciprocal(q));
        for (n, operand) in instr.operands.iter_mut().enumerate() {
            let mut bases: SmallVec<[Base; 4]> =
                operand.bases().map(|base| self.resolved(Arg::plain(base)).base()).collect();
            if let Some(divisor) = divisor {
                bases.iter_mut().for_each(|base| *base = self.computed(names::FMUL, [*base, divisor]));
            }
            if n == 0 && tex.is_some_and(|tex| tex.target.is_array()) {
                self.notes.inexact_elsewhere(
                    "layers rounded by the program: other bits under models whose texture unit rounds otherwise",
                );
                let half = Base::Imm(HALF);
                let sum = self.computed(names::FADD, [bases[0], half]);
                let number = self.fresh(false);
                self.legal(form(names::LAYER), false, Args::of(&[Arg::plain(sum)]), Some(number));
                // 16 bits.
                bases[0] = self.computed(names::UMIN, [Base::Value(number), Base::Imm(0xffff)]);
            }
            let copies: SmallVec<[Value; 4]> = match bases[..] {
                [Base::Value(value)] => SmallVec::from_iter([value]),
                _ => bases
                    .iter()
                    .map(|&base| {
                        let to = self.fresh(false);
                        moves.push(Move { to, from: Arg::plain(base) });
                        to
                    })
                    .collect(),
            };
            operand.lanes = [None; 4];
            operand.lanes.iter_mut().zip(&copies).for_each(|(lane, &copy)| *lane = Some(Base::Value(copy)));
            self.groups.push(copies);
        }
        if !moves.is_empty() {
            self.out.push(Node::Moves(moves));
        }
        // No lookup clamps.
        let mut clamped: SmallVec<[(Value, Value); 4]> = SmallVec::new();
        for result in instr.results.iter_mut().flatten().filter(|_| instr.saturate) {
            let raw = self.fresh(false);
            clamped.push((raw, *result));
            *result = raw;
        }
        self.groups.push(instr.results.iter().flatten().copied().collect());
        self.out.push(Node::Op(instr));
        for (raw, result) in clamped {
            let raw = Args::of(&[Arg::value(raw)]);
            self.legal(form(names::CLAMP), false, raw, Some(result));
        }
    }

    /// The reciprocal of what coordinates are divided by.
    fn reciprocal(&mut self, of: Base) -> Base {
        self.notes.inexact("projected lookups as products with the reciprocal: other bits where these are rounded");
        let of = self.resolved(Arg::plain(of));
        let of = of.with_base(Base::Value(self.register(of.base())));
        let value = self.fresh(false);
        self.legal(form(names::RCP), false, Args::of(&[of]), Some(value));
        Base::Value(value)
    }

    /// The result of an instruction with two operands.
    fn computed(&mut self, name: &str, of: [Base; 2]) -> Base {
        let value = self.fresh(false);
        self.legal(form(name), false, of.into_iter().map(Arg::plain).collect(), Some(value));
        Base::Value(value)
    }

    /// An operand that is no input and no constant at an address.
    pub(super) fn resolved(&mut self, arg: Arg) -> Arg {
        let base = match arg.base() {
            Base::Attr { index, comp } => self.input(index, comp),
            Base::ConstAt { from, comp, at } => self.load(from, comp, at),
            Base::System(value, comp) => self.system(value, comp),
            other => other,
        };
        let resolved = arg.with_base(base);
        resolved.bits().map_or(resolved, Arg::imm)
    }

    /// A register that holds a constant, a literal or a value.
    pub(super) fn register(&mut self, base: Base) -> Value {
        if let Base::Value(value) = base {
            return value;
        }
        if self.keeps
            && let Some(&known) = self.loaded.iter().rev().find_map(|scope| scope.get(&base))
        {
            return known;
        }
        let value = self.fresh(false);
        self.legal(form(names::MOV), false, Args::of(&[Arg::plain(base)]), Some(value));
        self.keep(base, value);
        value
    }

    fn keep(&mut self, base: Base, value: Value) {
        if let Some(scope) = self.loaded.last_mut() {
            scope.insert(base, value);
        }
    }

    /// A constant at an address. Vectors beyond all banks stay beyond them when they become bytes.
    fn load(&mut self, from: Relative, comp: u8, at: Value) -> Base {
        let key = Base::ConstAt { from, comp, at };
        if let Some(&known) = self.loaded.iter().rev().find_map(|scope| scope.get(&key)) {
            return Base::Value(known);
        }
        // The address of the vector itself, which other components of it share.
        let address = Base::ConstAt { from: self.relatives.number(u16::MAX, 0), comp: 0, at };
        let known = self.loaded.iter().rev().find_map(|scope| scope.get(&address)).copied();
        let bytes = known.unwrap_or_else(|| {
            let mut value = Base::Value(at);
            for (name, limit) in [(names::IMIN, MOST), (names::IMAX, LEAST), (names::SHL, 4)] {
                let next = self.fresh(false);
                let args = Args::of(&[Arg::plain(value), Arg::imm(limit)]);
                self.legal(form(name), false, args, Some(next));
                value = Base::Value(next);
            }
            let Base::Value(bytes) = value else { return at };
            self.keep(address, bytes);
            bytes
        });
        // 16 bits with a sign, in bytes.
        let (_, base) = self.relatives.get(from);
        if !(-2048..2048).contains(&base) {
            self.notes
                .refuse(format!("a constant {base} vectors behind an address: LDC does not reach it"), self.origin);
            return Base::Imm(0);
        }
        let value = self.fresh(false);
        let arg = Arg::plain(Base::ConstAt { from, comp, at: bytes });
        self.put(form(names::LOAD), false, &[arg], Some(value));
        self.keep(key, value);
        Base::Value(value)
    }

    /// An input, loaded in front of the program.
    fn input(&mut self, index: u16, comp: u8) -> Base {
        if let Some(&known) = self.inputs.get(&(index, comp)) {
            return known;
        }
        let decl = Places::declaration(&self.func.iface, index);
        let base = match (decl.semantic, comp) {
            (AttrSemantic::Face, 0) => {
                let side = self.interpolated(index, comp, None);
                let args = [Base::Value(side), Base::Imm(ONE), Base::Imm(MINUS_ONE)].map(Arg::plain);
                let result = self.fresh(false);
                self.in_front(|lower| {
                    lower.legal(form(names::CHOOSE_WORD), false, Args::of(&args), Some(result));
                });
                Base::Value(result)
            }
            (AttrSemantic::Face, comp) => Base::Imm(if comp == 3 { ONE } else { 0 }),
            (AttrSemantic::Position | AttrSemantic::PointCoord, _) => Base::Value(self.interpolated(index, comp, None)),
            _ if decl.location == Location::Sample && decl.interp != Interp::Flat => {
                let value = self.fresh(false);
                let offset = self.own_place();
                let args = [Base::Attr { index, comp }, Base::Value(offset)].map(Arg::plain);
                self.in_front(|lower| {
                    lower.input_at_offset(self::form(names::AT_OFFSET), Args::of(&args), value);
                });
                Base::Value(value)
            }
            _ if decl.interp == Interp::Perspective => {
                self.notes.inexact(DIVIDED);
                let w = self.width(decl.location);
                Base::Value(self.interpolated(index, comp, Some(w)))
            }
            _ => Base::Value(self.interpolated(index, comp, None)),
        };
        self.inputs.insert((index, comp), base);
        base
    }

    /// An input at an offset: its plane there, times w there where it has perspective.
    fn input_at_offset(&mut self, form: &'static Form, mut args: Args, to: Value) {
        let &[attr, offset] = &args[..] else { return };
        let Base::Attr { index, .. } = attr.base() else { return };
        let offset = self.resolved(offset).base();
        args[1] = Arg::value(self.register(offset));
        let decl = Places::declaration(&self.func.iface, index);
        let is_plain = matches!(decl.semantic, AttrSemantic::Position | AttrSemantic::PointCoord);
        if decl.interp == Interp::Perspective && !is_plain {
            self.notes.inexact(DIVIDED);
            let (over, w) = (self.fresh(false), self.fresh(false));
            let position = Arg::plain(Base::Attr { index: super::POSITION, comp: 3 });
            let load = self.made_of_input(form, Args::of(&[position, args[1]]), Some(over));
            self.out.push(load);
            let over = Arg::value(over);
            self.legal(self::form(names::RCP), false, Args::of(&[over]), Some(w));
            args.push(Arg::value(w));
        }
        let load = self.made_of_input(form, args, Some(to));
        self.out.push(load);
    }

    /// The packed offset of the sample that is shaded; none where whole pixels are.
    fn own_place(&mut self) -> Value {
        if let Some(known) = self.own_place {
            return known;
        }
        self.notes.inexact(ASKED);
        let [sample, shading] = [SystemValue::Sample, SystemValue::Shading].map(|value| self.system(value, 0));
        let [sample, shading] = [sample, shading].map(Arg::plain);
        let [place, own] = [0; 2].map(|_| self.fresh(false));
        self.in_front(|lower| {
            lower.legal(self::form(names::PLACE_OF_SAMPLE), false, Args::of(&[sample]), Some(place));
            let args = [Arg::value(place), shading];
            lower.legal(self::form(names::CLEAR), false, Args::of(&args), Some(own));
        });
        *self.own_place.insert(own)
    }

    /// A system value, loaded in front of the program: no KIL has changed it there.
    fn system(&mut self, value: SystemValue, comp: u8) -> Base {
        if let Some(&known) = self.systems.get(&(value, comp)) {
            return Base::Value(known);
        }
        let name = match value {
            SystemValue::Samples => names::SAMPLES,
            SystemValue::Mask => names::COVERED,
            SystemValue::Sample => names::SAMPLE,
            SystemValue::Shading => names::IS_SAMPLE,
            SystemValue::Face => names::FACE,
            SystemValue::Helper => names::HELPER,
            SystemValue::Lane => names::LANE,
            SystemValue::Thread | SystemValue::Block | SystemValue::Size => match kernel::system(value, comp) {
                Ok(name) => name,
                Err(base) => return base,
            },
        };
        let asks = |func: &Func| func.ops.iter().any(|(_, op)| op.kind == OpKind::Sys(SysVal::SampleShading));
        if value == SystemValue::Sample && !asks(self.func) {
            self.notes.inexact(ASKED);
        }
        let form = form(name);
        let is_predicate = form.leaves == Leaves::Predicate;
        let mut known = self.fresh(is_predicate);
        let load = self.made(form, false, Args::NONE, Some(known));
        self.front.push(load);
        if is_predicate {
            let word = self.fresh(false);
            let args = [Arg::value(known), Arg::imm(u32::MAX), Arg::imm(0)];
            self.in_front(|lower| {
                lower.legal(self::form(names::CHOOSE), false, Args::of(&args), Some(word));
            });
            known = word;
        }
        self.systems.insert((value, comp), known);
        Base::Value(known)
    }

    /// Runs something whose instructions stand in front of the program.
    fn in_front(&mut self, what: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.out, std::mem::take(&mut self.front));
        // What is loaded there is known everywhere, but is not looked for in blocks further in.
        let scopes = std::mem::replace(&mut self.loaded, vec![FxHashMap::default()]);
        what(self);
        self.loaded = scopes;
        self.front = std::mem::replace(&mut self.out, outer);
    }

    /// What IPA gives.
    fn interpolated(&mut self, index: u16, comp: u8, w: Option<Value>) -> Value {
        let value = self.fresh(false);
        let mut args = Args::of(&[Arg::plain(Base::Attr { index, comp })]);
        args.extend(w.map(Arg::value));
        let instr = self.made_of_input(form(names::INPUT), args, Some(value));
        self.front.push(instr);
        value
    }

    /// w at a location.
    fn width(&mut self, location: Location) -> Value {
        if let Some(&(_, known)) = self.widths.iter().find(|(of, _)| *of == location) {
            return known;
        }
        // No attribute has this number: the fourth component of the position, which is 1/w.
        let index = if location == Location::Centroid { super::CENTROID_POSITION } else { super::POSITION };
        let over = self.interpolated(index, 3, None);
        let w = self.fresh(false);
        self.in_front(|lower| {
            let args = Args::of(&[Arg::value(over)]);
            lower.legal(form(names::RCP), false, args, Some(w));
        });
        self.widths.push((location, w));
        w
    }

    /// An instruction with operands that it can have.
    pub(super) fn legal(&mut self, form: &'static Form, saturate: bool, mut args: Args, result: Option<Value>) {
        if saturate && !form.clamps {
            let raw = self.fresh(false);
            self.legal(form, false, args, Some(raw));
            let raw = Args::of(&[Arg::value(raw)]);
            return self.legal(self::form(names::CLAMP), false, raw, result);
        }
        let mut form = form;
        let is_word = |form: &Form, n: usize| form.predicates >> n & 1 == 0;
        for (_, arg) in args.iter_mut().enumerate().filter(|&(n, _)| is_word(form, n)) {
            *arg = self.resolved(*arg);
        }
        if form.name == names::CHOOSE && is_wide(args[1].base()) && !is_wide(args[2].base()) {
            args[0] = args[0].opposite();
            args.swap(1, 2);
        }
        if let Some((a, b, name, when)) = form.exchange
            && is_wide(args[a].base())
            && !is_wide(args[b].base())
            && form.wide >> a & 1 == 0
        {
            let (first, second) = (args[a], args[b]);
            let is_free = match when {
                When::Always => true,
                When::Number => matches!(first.base(), Base::Imm(_)) && !is_nan(first.base()),
            };
            let other = self::form(name);
            let has_room = takes(other, a, second.signs()) && takes(other, b, first.signs());
            if is_free && has_room {
                args.swap(a, b);
                form = other;
            }
        }
        let wide = (0..args.len()).find(|&n| is_word(form, n) && Self::has_room(form, n, args[n], saturate));
        for (n, arg) in args.iter_mut().enumerate() {
            if is_word(form, n) && Some(n) != wide && is_wide(arg.base()) {
                *arg = arg.with_base(Base::Value(self.register(arg.base())));
            }
        }
        self.put(form, saturate, &args, result);
    }

    /// Whether a constant or literal can stand at an operand.
    fn has_room(form: &Form, n: usize, arg: Arg, saturate: bool) -> bool {
        match arg.base() {
            Base::Const { .. } => form.wide >> n & 1 != 0,
            Base::Imm(bits) if bits != 0 => {
                let is_short = form.short.is_some_and(|(at, short)| at == n && fits(bits, short));
                is_short || form.long.is_some_and(|(at, text)| at == n && (!saturate || text.contains("{s}")))
            }
            _ => false,
        }
    }

    /// An instruction whose first operand is an input.
    fn made_of_input(&mut self, form: &'static Form, args: Args, result: Option<Value>) -> Node {
        if let Some(Base::Attr { index, comp }) = args.first().map(|arg| arg.base())
            && !self.reads.contains(&(index, comp))
        {
            self.reads.push((index, comp));
        }
        self.made(form, false, args, result)
    }

    /// One more instruction.
    fn put(&mut self, form: &'static Form, saturate: bool, args: &[Arg], result: Option<Value>) {
        Node::put(&mut self.out, form.row(), saturate, args, result, self.origin);
    }

    fn made(&self, form: &'static Form, saturate: bool, args: Args, result: Option<Value>) -> Node {
        Node::of_scalars(form.row(), saturate, args, result, self.origin)
    }
}
