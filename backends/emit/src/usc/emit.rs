//! Groups of a program: instructions with registers, branches and loops with mask counts, and pairs of operations in one group.

use super::forms::{Form, Level, Sampled, form_of, names};
use super::lower::constant;
use super::pairs::{self, Bank, Goal, Groups, Item, Kind, Operation, Program, SOURCES, Text, Words};
use crate::Encoding;
use crate::form::{Arg, Args, Base, Instr, Move, Node, Operand, Signs, Test, Value};
use crate::interface;
use crate::scalar::moves::{self, Moving, Source};
use crate::scalar::registers::{Place, Places};
use parallax_core::{TexMode, TexOp};
use smallvec::SmallVec;

/// Registers of a texture state and of a sampler state.
const STATE: u32 = 4;
/// The largest whole number that is a constant: a mask count that a jump sets.
const MOST: usize = 31;

/// Where shared registers hold what.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shared<'a> {
    /// The first vector of each bank of constants.
    pub(super) inputs: &'a interface::Places,
    /// The register of the first texture state.
    pub(super) states: u32,
}

/// A program while it is written.
pub(super) struct Emit<'a> {
    places: &'a Places,
    shared: Shared<'a>,
    /// The first coefficient of attributes, by number.
    coefficients: &'a dyn Fn(u16) -> u32,
    groups: Groups,
    labels: u32,
    /// Loops that are open: conditionals that were open where each began, and whether a round is ended from its middle.
    loops: Vec<(usize, bool)>,
    /// Conditionals that are open.
    depth: usize,
    /// One more than the highest register.
    pub(super) words: u32,
    /// The register of the mask count, where there is control flow.
    count: Option<u32>,
    /// Jumps out of so many conditionals that no constant says it.
    pub(super) too_deep: bool,
}

impl<'a> Emit<'a> {
    pub(super) fn new(
        places: &'a Places,
        shared: Shared<'a>,
        coefficients: &'a dyn Fn(u16) -> u32,
        body: &[Node],
        encoding: Encoding,
    ) -> Emit<'a> {
        let has_flow = body.iter().any(|node| matches!(node, Node::If { .. } | Node::Loop { .. }));
        // A register that nothing is in, for the count, and another one for moves in a circle.
        let count = has_flow.then_some(places.words);
        let mut emit = Emit {
            places,
            shared,
            coefficients,
            groups: Groups::new(encoding, body.len()),
            labels: 0,
            loops: Vec::new(),
            depth: 0,
            words: places.words + u32::from(has_flow),
            count,
            too_deep: false,
        };
        if let Some(count) = count {
            emit.control(format!("cndst 0, r{count}, c0, 1"));
        }
        emit
    }

    fn place(&self, value: Value) -> u32 {
        match self.places.get(value) {
            Place::Word(number) => number,
            Place::Predicate(_) => 0,
        }
    }

    /// The register or constant that an operand is.
    fn source(&self, base: Base, signs: Signs) -> pairs::Source {
        let (bank, number) = match base {
            Base::Value(value) => (Bank::Temporary, self.place(value)),
            Base::Imm(bits) => (Bank::Constant, constant(bits).unwrap_or(0).into()),
            Base::Const { bank, index, comp } => {
                let first = self.shared.inputs.first_of(bank);
                (Bank::Shared, first.wrapping_add(index) * 4 + u32::from(comp))
            }
            // Lowering has loaded the others.
            Base::ConstAt { .. } | Base::Attr { .. } | Base::Buffer(_) | Base::System(..) => (Bank::Constant, 0),
        };
        pairs::Source { bank, number, signs }
    }

    /// A group that says who runs. Every instance runs it.
    fn control(&mut self, text: String) {
        self.groups.push(Item::barrier(format!("(ignorepe) {{ {text} }}")));
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// The statements of a block. `is_tail`: whether the next round of the innermost loop begins behind it.
    pub(super) fn block(&mut self, nodes: &[Node], is_tail: bool) {
        for (n, node) in nodes.iter().enumerate() {
            match node {
                Node::Single(single) => {
                    self.form(form_of(&single.row), single.saturate, &single.args, Some(single.result));
                }
                Node::Op(instr) => self.instr(instr),
                Node::Moves(moves) => self.moves(moves),
                Node::If { condition, test, then, other } => self.branch(*condition, *test, then, other),
                Node::Loop { body, .. } => self.looped(body),
                Node::Break { .. } | Node::Leave { .. } => self.leave(0, false),
                Node::Continue { .. } if is_tail && n + 1 == nodes.len() => {}
                Node::Continue { .. } => self.leave(0, true),
            }
        }
    }

    /// Stops the running instances that satisfy a condition code, until the loop ends or its round does.
    fn leave(&mut self, code: u32, is_round: bool) {
        let Some(count) = self.count else { return };
        let Some((outer, is_continued)) = self.loops.last_mut() else { return };
        *is_continued |= is_round;
        let waits = self.depth - *outer + if is_round { 1 } else { 2 };
        self.too_deep |= waits > MOST;
        self.control(format!("cndsm {code}, r{count}, r{count}, c{}", waits.min(MOST)));
    }

    fn looped(&mut self, body: &[Node]) {
        let Some(count) = self.count else { return };
        self.control(format!("cndst 0, r{count}, r{count}, 2"));
        let start = self.label();
        self.groups.push(Item { words: Words::Label(start), kind: Kind::Barrier });
        self.loops.push((self.depth, false));
        self.block(body, true);
        let is_continued = self.loops.pop().is_some_and(|(_, is_continued)| is_continued);
        if is_continued {
            // Who ended the round early goes on; who left waits as before.
            self.control(format!("cndend r{count}, r{count}, 1"));
            self.control(format!("cndst 0, r{count}, r{count}, 1"));
        }
        self.control(format!("cndlt 0, r{count}, p0, r{count}, 2"));
        self.groups.push(Item { words: Words::Branch(start), kind: Kind::Barrier });
    }

    fn branch(&mut self, condition: Arg, test: Test, then: &[Node], other: &[Node]) {
        let (then_empty, other_empty) = (self.is_empty(then), self.is_empty(other));
        let Some(count) = self.count else { return };
        if then_empty && other_empty {
            return;
        }
        // p0 is set where the condition does not hold.
        let ty = if test == Test::Float { "f32" } else { "u32" };
        let pairs::Source { bank, number, .. } = self.source(condition.base(), Signs::default());
        let bank = bank.letters();
        self.groups.push(Item::barrier(format!("mov ft0, {bank}{number}\ntstz.{ty} ftt, p0, ft0")));
        let (holds, fails) = (3, 1);
        for (arm, rest, code) in [(then, other, holds), (other, then, fails)] {
            // An arm that does nothing but leave needs no conditional.
            if let [jump @ (Node::Break { .. } | Node::Leave { .. } | Node::Continue { .. })] = arm {
                self.leave(code, matches!(jump, Node::Continue { .. }));
                if !self.is_empty(rest) {
                    self.block(rest, false);
                }
                return;
            }
        }
        let (first, second, code) = if then_empty { (other, then, fails) } else { (then, other, holds) };
        self.control(format!("cndst {code}, r{count}, r{count}, 1"));
        self.depth += 1;
        self.block(first, false);
        if !self.is_empty(second) {
            self.control(format!("cndef 0, r{count}, r{count}, 1"));
            self.block(second, false);
        }
        self.depth -= 1;
        self.control(format!("cndend r{count}, r{count}, 1"));
    }

    /// Whether a block comes to nothing.
    fn is_empty(&self, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Moves(moves) => moves.iter().all(|one| self.is_done(one)),
            Node::If { then, other, .. } => self.is_empty(then) && self.is_empty(other),
            _ => false,
        })
    }

    fn is_done(&self, one: &Move) -> bool {
        let Base::Value(from) = one.from.base() else { return false };
        self.place(from) == self.place(one.to)
    }

    /// Moves that all read before one writes.
    fn moves(&mut self, moves: &[Move]) {
        let mut left = Moving::new();
        for one in moves.iter().filter(|one| !self.is_done(one)) {
            let from = match one.from.base() {
                Base::Value(value) => Source::Place(Place::Word(self.place(value)), false),
                base => Source::Other(base),
            };
            left.push((Place::Word(self.place(one.to)), from));
        }
        let spare = self.places.words + u32::from(self.count.is_some());
        let (ordered, takes_spare) = moves::ordered(left, |_| Place::Word(spare));
        if takes_spare {
            self.words = self.words.max(spare + 1);
        }
        for (to, from) in ordered {
            let from = match from {
                Source::Place(Place::Word(number), _) => temporary(number),
                Source::Place(Place::Predicate(_), _) => continue,
                Source::Other(base) => self.source(base, Signs::default()),
            };
            if let Place::Word(to) = to {
                self.groups.push(Item::copy(from, Goal::Temporary(to)));
            }
        }
    }

    fn instr(&mut self, instr: &Instr) {
        let form = form_of(&instr.row);
        if let Some(tex) = &instr.texture {
            let words = Words::Operation(self.lookup(instr, tex));
            self.groups.push(Item { words, kind: Kind::Group });
            self.groups.push(Item::wait());
            return;
        }
        if let (names::PERSPECTIVE | names::LINEAR, Some(Base::Attr { index, comp })) =
            (form.name, instr.operands[0].lanes[0])
        {
            let set = (self.coefficients)(index) + 4 * u32::from(comp);
            let w = if form.name == names::PERSPECTIVE { "cf0, " } else { "" };
            let writes: SmallVec<[u32; 4]> = instr.results.iter().flatten().map(|&value| self.place(value)).collect();
            let (first, count) = (writes.first().copied().unwrap_or(0), writes.len());
            let text = format!("{}.pixel r{first}, drc0, cf{set}, {w}{count}", form.name).into();
            let text = Text { text, reads: SmallVec::new(), writes };
            self.groups.push(Item { words: Words::Text(Box::new(text)), kind: Kind::Group });
            self.groups.push(Item::wait());
            return;
        }
        let arg = |operand: &Operand| Arg::new(operand.lanes[0].unwrap_or(Base::Imm(0)), operand.signs);
        let args: Args = instr.operands.iter().map(arg).collect();
        self.form(form, instr.saturate, &args, instr.results.iter().flatten().next().copied());
    }

    /// The groups of a form.
    fn form(&mut self, form: &'static Form, clamps: bool, args: &[Arg], result: Option<Value>) {
        let mut sources = [None; SOURCES];
        for (n, (to, arg)) in sources.iter_mut().zip(args).enumerate() {
            let mut source = self.source(arg.base(), arg.signs());
            if let Base::Imm(bits) = arg.base()
                && form.literals >> n & 1 != 0
            {
                source.number = bits;
            }
            *to = Some(source);
        }
        let to = result.map_or(Goal::Nothing, |value| Goal::Temporary(self.place(value)));
        if form.is_early {
            let is_shared = |n: usize| args.get(n).is_some_and(|arg| matches!(arg.base(), Base::Const { .. }));
            let kind = Kind::Early { fits_above: !is_shared(1) && !is_shared(2) };
            let operation = Operation { form, group: 0, clamps, to, sources };
            self.groups.push(Item { words: Words::Operation(operation), kind });
            return;
        }
        if form.counts {
            let count = self.count.map_or((Bank::Constant, 0), |count| (Bank::Temporary, count));
            sources[2] = Some(pairs::Source { bank: count.0, number: count.1, signs: Signs::default() });
        }
        for (n, group) in (0..).zip(form.groups) {
            // A group that sets or reads the predicate stays where it is.
            let kind = if group.is_fixed { Kind::Barrier } else { Kind::Group };
            let operation = Operation { form, group: n, clamps, to, sources };
            self.groups.push(Item { words: Words::Operation(operation), kind });
        }
    }

    fn lookup(&self, instr: &Instr, tex: &TexOp) -> Operation {
        let coordinates = match instr.operands[0].bases().next() {
            Some(Base::Value(value)) => self.place(value),
            _ => 0,
        };
        let level = match tex.mode {
            TexMode::Bias => Level::Bias,
            TexMode::Level => Level::Given,
            _ if tex.project => Level::Projected,
            _ => Level::Implicit,
        };
        let sampled = Sampled {
            dimensions: tex.target.coordinates(),
            level,
            is_array: tex.target.is_array(),
            channels: instr.results.iter().flatten().count(),
        };
        let state = self.shared.states + u32::from(tex.unit) * 2 * STATE;
        let shared = |number| pairs::Source { bank: Bank::Shared, number, signs: Signs::default() };
        let sources = [Some(shared(state)), Some(temporary(coordinates)), Some(shared(state + STATE))];
        let to = Goal::Temporary(instr.results[0].map_or(0, |value| self.place(value)));
        Operation { form: sampled.form(), group: 0, clamps: false, to, sources }
    }

    /// Copies results to where the pixel leaves them, and ends the program.
    pub(super) fn finish(mut self, outputs: &[(u32, Value)], depth: Option<Value>) -> (Program, usize) {
        for &(number, value) in outputs {
            let from = self.place(value);
            self.groups.push(Item::copy(temporary(from), Goal::Output(number)));
        }
        if let Some(depth) = depth {
            let from = self.place(depth);
            self.groups.push(Item::barrier(format!("mov ft0, r{from}\nmov ft0.e0.e1.e2.e3, ft0\ndepthf ft0")));
        }
        self.groups.push(Item::barrier("nop.end"));
        self.groups.finish()
    }
}

/// A temporary as it is.
fn temporary(number: u32) -> pairs::Source {
    pairs::Source { bank: Bank::Temporary, number, signs: Signs::default() }
}
