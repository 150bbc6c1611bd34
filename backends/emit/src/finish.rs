//! The steps of a translation, and the last of them: instructions with registers.

use crate::form::{Base, Instr, Move, Node, Operand, Precision, Relatives, Signs, Single, Value};
use crate::interface::Places;
use crate::notes::Notes;
use crate::program::{Line, Program, Reg, Src, Written};
use crate::registers::{Home, Homes};
use crate::target::{Addresses, Meaning, Registers, Row, Target};
use crate::webs::Webs;
use crate::{Encoding, Translation, coalesce, live, pack, prune, registers, select};
use parallax_core::{Carried, Func, OpKind, Shader, Symbolic};
use parallax_num::Model;
use parallax_text::Diag;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Translates a shader.
pub(crate) fn translate(
    shader: &Shader<Symbolic>,
    target: &Target,
    encoding: Encoding,
) -> Result<Translation, Vec<Diag>> {
    let mut notes = Notes::default();
    let expanded = without_functions(shader, &mut notes);
    let func = &expanded.as_ref().unwrap_or(shader).func;
    if func.iface.attrs.iter().any(|attr| attr.mediump) {
        notes.inexact_elsewhere("inputs in mediump as full ones: other bits where a driver makes halves of them");
    }
    let stage = func.iface.stage;
    let translation = match target.of_stage(stage) {
        Some(target) => run(func, target, encoding, &mut notes),
        None => {
            notes.refuse(format!("{} shaders: not written for {} yet", stage.name(), target.title), None);
            None
        }
    };
    let inexact = notes.finish(&func.sources)?;
    match translation {
        Some(translation) => Ok(Translation { inexact, ..translation }),
        None => Err(Vec::new()),
    }
}

/// The shader with formulas in place of functions of languages, if it has any.
fn without_functions(shader: &Shader<Symbolic>, notes: &mut Notes) -> Option<Shader<Symbolic>> {
    let mut any = false;
    shader.func.walk(|_, op| any |= matches!(shader.func.ops[op].kind, OpKind::Library(_)));
    if !any {
        return None;
    }
    notes.inexact_elsewhere(
        "functions of the language as the formulas of model `ieee`: other bits under models whose library has others",
    );
    Some(shader.clone().with_library_of(&Model::builtin("ieee")?))
}

fn run(func: &Func, target: &Target, encoding: Encoding, notes: &mut Notes) -> Option<Translation> {
    let write = match target.registers {
        Registers::Scalars(translate) => return translate(func, target, encoding, notes),
        Registers::Vectors(write) => write,
    };
    let select::Selected { mut body, values, half, outputs, is_addressed, relatives } =
        select::select(func, target, notes);
    let mut ends: Vec<((u16, u8), Value)> = outputs.into_iter().collect();
    ends.sort_unstable();
    let numbers = prune::renumber(&mut body, values, &mut ends);
    let kept: Vec<Value> = ends.iter().map(|&(_, value)| value).collect();
    let half = if half.is_empty() { half } else { numbers.of(&half) };
    let mut webs = Webs::new(numbers.count, half);
    let mut last: Option<(u16, Value)> = None;
    for &((index, comp), value) in &ends {
        webs.fix(value, comp);
        match last {
            Some((of, first)) if of == index => webs.join(first, value),
            _ => last = Some((index, value)),
        }
    }
    for &((index, _), value) in &ends {
        webs.make_output(value, index);
    }
    let moves = target.rows.get(Meaning::Move)?;
    pack::pack(&mut body, &mut webs, moves);
    let ranges = live::ranges(&body, webs.len(), &kept);
    let ranges = coalesce::coalesce(&body, &mut webs, ranges);
    let homes = registers::allocate(&webs, &ranges);
    let mut finish = Finish {
        webs: &webs,
        homes: &homes,
        moves,
        lines: Vec::with_capacity(body.len()),
        imms: Vec::new(),
        known: FxHashMap::default(),
        places_of_addresses: if target.abilities.addresses == Addresses::Floats { 2 } else { 4 },
        is_addressed,
        relatives: &relatives,
        addresses: [None; 4],
        spare: 0,
        notes,
        literal: target.abilities.literal,
        places: Places::default(),
    };
    finish.block(&body);
    let Finish { lines, imms, spare, mut places, .. } = finish;
    places.read.sort_unstable();
    (target.place)(&func.iface, &mut places);
    places.refused(notes);
    let (temps, halves) = (homes.count + spare, homes.halves);
    if temps + halves.div_ceil(2) > target.abilities.registers {
        let temps = temps + halves.div_ceil(2);
        let most = target.abilities.registers;
        notes.refuse(
            format!("{temps} temporary registers: {} has {most}; {} are missing", target.title, temps - most),
            None,
        );
    }
    let mut literals = None;
    if target.abilities.literals_in_constants && !imms.is_empty() {
        let first = places.first_literal;
        for (n, vector) in (first..).zip(&imms) {
            let mut words = [0; 4];
            words.iter_mut().zip(vector).for_each(|(to, from)| *to = *from);
            places.carried.literals.push((0, n, words));
        }
        literals = Some((first, first + imms.len() as u32 - 1));
    }
    let written = ends.iter().map(|&(at, _)| at).collect();
    let iface = &func.iface;
    let program = Program { encoding, iface, places: &places, lines, temps, halves, imms, written };
    if notes.is_refused() {
        return None;
    }
    let Written { text, binary, instructions, vectors } = match write(&program) {
        Ok(written) => written,
        Err(problems) => {
            problems.into_iter().for_each(|problem| notes.refuse(problem, None));
            return None;
        }
    };
    // Texts have an instruction more for the condition of a branch.
    let branches = program.lines.iter().filter(|line| matches!(line, Line::If { .. })).count();
    let (count, most) = (instructions.max(program.lines.len() + branches), target.abilities.instructions);
    if count > most {
        notes.refuse(format!("{count} instructions: {} has {most}", target.title), None);
        return None;
    }
    let (carried, inexact) = (Carried { vectors, ..places.carried.clone() }, Vec::new());
    Some(Translation { text, binary, carried, instructions, registers: temps + halves.div_ceil(2), inexact, literals })
}

struct Finish<'a> {
    webs: &'a Webs,
    homes: &'a Homes,
    moves: Row,
    lines: Vec<Line>,
    imms: Vec<Vec<u32>>,
    known: FxHashMap<u32, (u32, u8)>,
    /// Whether constants are read at addresses at all.
    is_addressed: bool,
    relatives: &'a Relatives,
    /// How many addresses are held at a time, at most four.
    places_of_addresses: usize,
    /// What the components of the address register hold, or address registers.
    addresses: [Option<Value>; 4],
    /// Registers that cyclic moves need.
    spare: u32,
    notes: &'a mut Notes,
    literal: fn(u32) -> bool,
    /// What of the interface is read.
    places: Places,
}

/// The last immediates that are looked through for room.
const ROOM: usize = 32;

impl Finish<'_> {
    fn block(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                // It is a lane of an instruction further in front.
                Node::Single(single) if single.follows => {}
                Node::Single(single) => self.lanes(single, nodes),
                Node::Op(instr) => self.instr(instr),
                Node::Moves(moves) => self.moves(moves),
                Node::If { condition, test, then, other } => {
                    let src = self.source_of(|n| (n == 0).then(|| condition.base()), condition.signs());
                    let (then_empty, other_empty) = (self.is_empty(then), self.is_empty(other));
                    if then_empty && other_empty {
                        continue;
                    }
                    self.lines.push(Line::If { src, test: *test });
                    self.addresses = [None; 4];
                    self.block(then);
                    self.addresses = [None; 4];
                    if !other_empty {
                        self.lines.push(Line::Else);
                        self.block(other);
                        self.addresses = [None; 4];
                    }
                    self.lines.push(Line::EndIf);
                }
                Node::Loop { body, rounds, .. } => {
                    self.addresses = [None; 4];
                    self.lines.push(Line::Loop { rounds: *rounds });
                    let last = match body.split_last() {
                        // The end of a loop starts it again.
                        Some((Node::Continue { .. }, before)) => before,
                        _ => &body[..],
                    };
                    self.block(last);
                    self.lines.push(Line::EndLoop);
                    self.addresses = [None; 4];
                }
                Node::Break { .. } | Node::Leave { .. } => self.lines.push(Line::Break),
                Node::Continue { .. } => self.lines.push(Line::Continue),
            }
        }
    }

    /// Whether a block comes to nothing.
    fn is_empty(&self, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Moves(moves) => moves.iter().all(|one| self.is_done(one)),
            Node::If { then, other, .. } => self.is_empty(then) && self.is_empty(other),
            _ => false,
        })
    }

    /// Whether a value is already where it is moved to.
    fn is_done(&self, one: &Move) -> bool {
        let Some(from) = one.from.plain_value() else { return false };
        self.home(from) == self.home(one.to)
    }

    fn home(&self, value: Value) -> (Home, u8) {
        self.homes.get(self.webs, value)
    }

    fn reg(home: Home) -> Reg {
        match home {
            Home::Temp(n) => Reg::Temp(n),
            Home::Half(n) => Reg::Half(n),
            Home::Output(n) => Reg::Output(n),
        }
    }

    /// A vector of immediates that has these, and their components.
    fn immediates(&mut self, words: &[u32]) -> (u32, SmallVec<[u8; 4]>) {
        for &word in words {
            if !(self.literal)(word) {
                self.notes.refuse(format!("the literal 0x{word:08x}: texts of the target have no such number"), None);
            }
        }
        let mut distinct: SmallVec<[u32; 4]> = words.iter().copied().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let from = self.imms.len().saturating_sub(ROOM);
        let missing = |have: &Vec<u32>| distinct.iter().filter(|word| !have.contains(word)).count();
        let known = distinct.first().filter(|_| distinct.len() == 1).and_then(|word| self.known.get(word));
        let vector = known.map(|&(vector, _)| vector as usize).or_else(|| {
            let candidates = (from..self.imms.len()).filter(|&n| self.imms[n].len() + missing(&self.imms[n]) <= 4);
            candidates.min_by_key(|&n| missing(&self.imms[n]))
        });
        let vector = vector.unwrap_or_else(|| {
            self.imms.push(Vec::new());
            self.imms.len() - 1
        });
        let here = &mut self.imms[vector];
        // In the order in which they are used.
        for &word in words {
            if !here.contains(&word) {
                here.push(word);
            }
        }
        let comp = |word: &u32| here.iter().position(|other| other == word).unwrap_or(0) as u8;
        let comps: SmallVec<[u8; 4]> = words.iter().map(comp).collect();
        for (&word, &comp) in words.iter().zip(&comps) {
            self.known.entry(word).or_insert((vector as u32, comp));
        }
        (vector as u32, comps)
    }

    /// A source, by what each component reads.
    #[inline]
    fn source_of(&mut self, base: impl Fn(usize) -> Option<Base>, signs: Signs) -> Src {
        let mut reg = Reg::Imm(0);
        let mut swizzle = Swizzle::default();
        if let Some(Base::Imm(_)) = (0..4).find_map(&base) {
            let words: SmallVec<[u32; 4]> =
                (0..4).filter_map(&base).map(|base| if let Base::Imm(bits) = base { bits } else { 0 }).collect();
            let (vector, comps) = self.immediates(&words);
            reg = Reg::Imm(vector);
            (0..4).filter(|&n| base(n).is_some()).zip(comps).for_each(|(n, comp)| swizzle.put(n, comp));
        } else {
            for n in 0..4 {
                let Some(base) = base(n) else { continue };
                let (of, comp) = match base {
                    Base::Value(value) => {
                        let (home, comp) = self.home(value);
                        (Self::reg(home), comp)
                    }
                    Base::Const { bank, index, comp } => {
                        self.places.read_bank(bank, index);
                        (Reg::Const(bank, index), comp)
                    }
                    Base::ConstAt { from, comp, at } => {
                        let (bank, base) = self.relatives.get(from);
                        self.places.read_bank(bank, u32::MAX);
                        let slot = self.addresses.iter().position(|held| *held == Some(at)).unwrap_or(0);
                        (Reg::ConstAt(bank, base, slot as u8), comp)
                    }
                    Base::Attr { index, comp } => {
                        self.places.read_attribute(index);
                        (Reg::Attr(index), comp)
                    }
                    Base::Buffer(buffer) => (Reg::Buffer(buffer), 0),
                    Base::System(place, comp) => (Reg::System(place), comp),
                    Base::Imm(_) => (reg, 0),
                };
                reg = of;
                swizzle.put(n, comp);
            }
        }
        Src { reg, swizzle: swizzle.filled(), signs }
    }

    /// Loads the address register for an instruction.
    fn load_addresses(&mut self, bases: impl Iterator<Item = Base>) {
        if !self.is_addressed {
            return;
        }
        let mut wanted: SmallVec<[Value; 4]> = SmallVec::new();
        for base in bases {
            if let Base::ConstAt { at, .. } = base
                && !wanted.contains(&at)
            {
                wanted.push(at);
            }
        }
        for &at in &wanted {
            if self.addresses.contains(&Some(at)) {
                continue;
            }
            let free = (0..self.places_of_addresses).find(|&n| self.addresses[n].is_none());
            let comp = free.or_else(|| {
                (0..self.places_of_addresses).find(|&n| self.addresses[n].is_some_and(|held| !wanted.contains(&held)))
            });
            let comp = comp.unwrap_or(0);
            self.addresses[comp] = Some(at);
            let src = self.source_of(|n| (n == 0).then_some(Base::Value(at)), Signs::default());
            self.lines.push(Line::Address { comp: comp as u8, src });
        }
    }

    /// An instruction that packing made, by its first lane.
    fn lanes(&mut self, first: &Single, nodes: &[Node]) {
        let mut lanes: [Option<&Single>; 4] = [None; 4];
        let (mut reg, mut mask) = (Reg::Temp(0), 0);
        for lane in first.lanes(nodes) {
            let (home, comp) = self.home(lane.result);
            (reg, mask) = (Self::reg(home), mask | 1 << comp);
            lanes[usize::from(comp)] = Some(lane);
        }
        let operands = 0..first.args.len();
        self.load_addresses(operands.flat_map(|n| first.lanes(nodes).map(move |lane| lane.args[n].base())));
        let Single { row, saturate, precise, precision, .. } = *first;
        let (dst, srcs) = (Some((reg, mask)), SmallVec::new());
        let at = self.lines.len();
        self.lines.push(Line::Op { row, saturate, precise, precision, dst, srcs, texture: None });
        for (n, arg) in first.args.iter().enumerate() {
            let src = self.source_of(|comp| lanes[comp].map(|lane| lane.args[n].base()), arg.signs());
            if let Some(Line::Op { srcs, .. }) = self.lines.get_mut(at) {
                srcs.push(src);
            }
        }
    }

    fn instr(&mut self, instr: &Instr) {
        self.load_addresses(instr.operands.iter().flat_map(Operand::bases));
        let homes = instr.results.map(|result| result.map(|value| self.home(value)));
        let mut dst = None;
        let mut mask = 0;
        for (home, comp) in homes.iter().flatten() {
            mask |= 1 << comp;
            dst = Some((Self::reg(*home), mask));
        }
        let srcs = instr.operands.iter();
        let srcs = srcs.map(|operand| self.source_of(|n| operand.lanes[n], operand.signs)).collect();
        let Instr { row, saturate, precise, precision, .. } = *instr;
        let texture = instr.texture.map(Box::new);
        self.lines.push(Line::Op { row, saturate, precise, precision, dst, srcs, texture });
    }

    /// Moves that all read before one writes.
    fn moves(&mut self, moves: &[Move]) {
        let mut left: Vec<Group> = Vec::new();
        for one in moves.iter().filter(|one| !self.is_done(one)) {
            let (home, comp) = self.home(one.to);
            let from = pack::vector(one.from.base(), self.webs);
            let from_home = if let Base::Value(value) = one.from.base() { Some(self.home(value).0) } else { None };
            let lane = (comp, one.from.base());
            let signs = one.from.signs();
            let same = |group: &&mut Group| {
                let vector = group.home == home && group.signs == signs && group.from_home == from_home;
                let is_value = from_home.is_some();
                vector && (is_value || pack::vector(group.lanes[0].1, self.webs) == from) && group.lanes.len() < 4
            };
            match left.iter_mut().find(same) {
                Some(group) => group.lanes.push(lane),
                None => left.push(Group { home, signs, from_home, lanes: vec![lane] }),
            }
        }
        // Registers whose old contents are kept in another one.
        let mut saved: FxHashMap<Home, Home> = FxHashMap::default();
        while !left.is_empty() {
            // One whose old contents nobody else still wants.
            let next = (0..left.len()).find(|&n| {
                left[n].lanes.iter().all(|&(comp, _)| {
                    let at = (left[n].home, comp);
                    left.iter().enumerate().all(|(m, other)| m == n || !self.reads(other, at, &saved))
                })
            });
            let n = next.unwrap_or_else(|| {
                // A cycle: the register that the first overwrites is kept aside.
                let spare = Home::Temp(self.homes.count + saved.len() as u32);
                saved.insert(left[0].home, spare);
                self.spare = self.spare.max(saved.len() as u32);
                let src = Src { reg: Self::reg(left[0].home), swizzle: [0, 1, 2, 3], signs: Signs::default() };
                self.push_move((Self::reg(spare), 0xf), src);
                0
            });
            let group = left.remove(n);
            self.group(&group, &saved);
        }
    }

    /// Whether moves read a component that has not been kept aside.
    fn reads(&self, group: &Group, at: (Home, u8), saved: &FxHashMap<Home, Home>) -> bool {
        let reads = |base: Base| base.read().is_some_and(|value| self.home(value) == at);
        !saved.contains_key(&at.0) && group.lanes.iter().any(|&(_, base)| reads(base))
    }

    fn group(&mut self, group: &Group, saved: &FxHashMap<Home, Home>) {
        let mask = group.lanes.iter().fold(0, |mask, (comp, _)| mask | 1 << comp);
        let mut bases = [None; 4];
        for &(comp, base) in &group.lanes {
            bases[usize::from(comp)] = Some(base);
        }
        self.load_addresses(group.lanes.iter().map(|&(_, base)| base));
        let mut src = self.source_of(|n| bases[n], group.signs);
        if let Some(&spare) = group.from_home.and_then(|from| saved.get(&from)) {
            src.reg = Self::reg(spare);
        }
        self.push_move((Self::reg(group.home), mask), src);
    }

    fn push_move(&mut self, dst: (Reg, u8), src: Src) {
        let line = Line::Op {
            row: self.moves,
            saturate: false,
            precise: false,
            precision: if matches!(dst.0, Reg::Half(_)) { Precision::Half } else { Precision::Full },
            dst: Some(dst),
            srcs: SmallVec::from_iter([src]),
            texture: None,
        };
        self.lines.push(line);
    }
}

/// Moves from one register to another.
struct Group {
    home: Home,
    signs: Signs,
    from_home: Option<Home>,
    lanes: Vec<(u8, Base)>,
}

/// Components that a source reads, as far as somebody reads them: a byte for each, and the bytes that count. In two words, as bytes
/// that are stored one by one are not yet there when they are read as one.
#[derive(Copy, Clone, Default)]
struct Swizzle {
    comps: u32,
    read: u32,
}

impl Swizzle {
    fn put(&mut self, n: usize, comp: u8) {
        self.comps |= u32::from(comp) << (8 * n);
        self.read |= 0xff << (8 * n);
    }

    /// With what nobody reads filled in: by the component itself if the others are, too, else by a neighbour.
    fn filled(self) -> [u8; 4] {
        let Swizzle { comps, read } = self;
        let own = u32::from_le_bytes([0, 1, 2, 3]);
        // More than one component: more than eight bits.
        if comps == own & read && read.count_ones() > 8 {
            return own.to_le_bytes();
        }
        let mut last = if read == 0 { 0 } else { comps >> (read.trailing_zeros() & 31) & 0xff };
        let mut all = 0;
        for n in 0..4 {
            if read >> (8 * n) & 1 != 0 {
                last = comps >> (8 * n) & 0xff;
            }
            all |= last << (8 * n);
        }
        all.to_le_bytes()
    }
}
