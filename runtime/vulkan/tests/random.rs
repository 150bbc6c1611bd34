//! Random programs of integers: ifs, loops with breaks and continues, switches with fallthrough, in one another.

use crate::writer::Program;
use parallax_random::Random;
use std::fmt::Write;

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    next: u32,
    /// Statements that may still be written.
    budget: u32,
    /// Merge and continue target of the loops around.
    loops: Vec<(u32, u32)>,
}

/// A program of a seed.
pub(crate) fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut w = Writer { random: &mut random, text: String::new(), next: 0, budget: 25, loops: Vec::new() };
    for (n, value) in ["%a", "%b", "%c_u32_5", "%c_u32_0"].into_iter().enumerate() {
        w.line(&format!("OpStore %var_u32_{n} {value}"));
    }
    for _ in 0..4 {
        w.statements(0);
    }
    let mut sum = w.load(0);
    for n in 1..4 {
        let value = w.load(n);
        let scaled = w.made(&format!("OpIMul %u32 {sum} %c_u32_31"));
        sum = w.made(&format!("OpIAdd %u32 {scaled} {value}"));
    }
    w.line(&format!("%r = OpCopyObject %u32 {sum}"));
    Program::new(format!("random program {seed}"), "u32 u32", "u32", w.text)
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn made(&mut self, what: &str) -> String {
        let id = format!("%z{}", self.id());
        self.line(&format!("{id} = {what}"));
        id
    }

    fn label(&mut self, label: u32) {
        self.line(&format!("%l{label} = OpLabel"));
    }

    fn load(&mut self, variable: u64) -> String {
        self.made(&format!("OpLoad %u32 %var_u32_{variable}"))
    }

    fn value(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("%c_u32_{}", self.random.below(9)),
            _ => {
                let variable = self.random.below(4);
                self.load(variable)
            }
        }
    }

    fn condition(&mut self) -> String {
        let op = self.random.pick(&["OpIEqual", "OpULessThan", "OpSLessThan", "OpINotEqual", "OpUGreaterThanEqual"]);
        let (a, b) = (self.value(), self.value());
        let a = self.made(&format!("OpBitwiseAnd %u32 {a} %c_u32_15"));
        self.made(&format!("{op} %bool {a} {b}"))
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(3) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.random.below(if depth < 4 { 9 } else { 4 }) {
                0..4 => self.assignment(),
                4..6 => self.branch(depth),
                6 | 7 => self.repeat(depth),
                _ => self.switch(depth),
            }
        }
    }

    fn assignment(&mut self) {
        let op = self.random.pick(&["OpIAdd", "OpISub", "OpIMul", "OpBitwiseXor", "OpBitwiseAnd", "OpBitwiseOr"]);
        let (a, b, to) = (self.value(), self.value(), self.random.below(4));
        let value = self.made(&format!("{op} %u32 {a} {b}"));
        self.line(&format!("OpStore %var_u32_{to} {value}"));
    }

    /// An if, whose first side may leave a loop.
    fn branch(&mut self, depth: u32) {
        let test = self.condition();
        let (yes, no, end) = (self.id(), self.id(), self.id());
        let has_else = self.random.below(2) == 0;
        let otherwise = if has_else { no } else { end };
        self.line(&format!("OpSelectionMerge %l{end} None\nOpBranchConditional {test} %l{yes} %l{otherwise}"));
        self.label(yes);
        self.statements(depth + 1);
        let to = match (self.loops.last().copied(), self.random.below(4)) {
            (Some((merge, _)), 0) => merge,
            (Some((_, next)), 1) => next,
            _ => end,
        };
        self.line(&format!("OpBranch %l{to}"));
        if has_else {
            self.label(no);
            self.statements(depth + 1);
            self.line(&format!("OpBranch %l{end}"));
        }
        self.label(end);
    }

    /// A loop of up to 5 rounds with a counter of its own.
    fn repeat(&mut self, depth: u32) {
        let [head, test, body, next, end] = [(); 5].map(|()| self.id());
        let (counter, rounds) = (10 + head, 1 + self.random.below(5));
        self.line(&format!("OpStore %var_u32_{counter} %c_u32_0\nOpBranch %l{head}"));
        self.label(head);
        self.line(&format!("OpLoopMerge %l{end} %l{next} None\nOpBranch %l{test}"));
        self.label(test);
        let n = self.load(u64::from(counter));
        let goes_on = self.made(&format!("OpULessThan %bool {n} %c_u32_{rounds}"));
        self.line(&format!("OpBranchConditional {goes_on} %l{body} %l{end}"));
        self.label(body);
        self.loops.push((end, next));
        self.statements(depth + 1);
        self.loops.pop();
        self.line(&format!("OpBranch %l{next}"));
        self.label(next);
        let n = self.load(u64::from(counter));
        let n = self.made(&format!("OpIAdd %u32 {n} %c_u32_1"));
        self.line(&format!("OpStore %var_u32_{counter} {n}\nOpBranch %l{head}"));
        self.label(end);
    }

    /// A switch of three cases and a default. Cases do not leave a loop around it by themselves: Mesa 22.3 is wrong there.
    fn switch(&mut self, depth: u32) {
        let value = self.value();
        let value = self.made(&format!("OpBitwiseAnd %u32 {value} %c_u32_3"));
        let [other, first, second, third, end] = [(); 5].map(|()| self.id());
        self.line(&format!(
            "OpSelectionMerge %l{end} None\nOpSwitch {value} %l{other} 0 %l{first} 1 %l{second} 3 %l{third}"
        ));
        let loops = std::mem::take(&mut self.loops);
        for (label, following) in [(first, second), (second, third), (third, end), (other, end)] {
            self.label(label);
            self.statements(depth + 1);
            let to = if self.random.below(3) == 0 { following } else { end };
            self.line(&format!("OpBranch %l{to}"));
        }
        self.loops = loops;
        self.label(end);
    }
}
