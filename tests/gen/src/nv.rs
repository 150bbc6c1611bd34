//! Random NV fragment programs, as text.

use crate::Choices;

/// Registers the programs use; watching them shows everything a program computes.
pub const NV_REGISTERS: [&str; 9] = ["R0", "R1", "R2", "R3", "H0", "H1", "H2", "H3", "cc"];

/// Opcodes with all three precisions, and with two, by their operands: vectors (`v`) and scalars (`s`).
const OPCODES: [(&str, &str, &str); 35] = [
    ("ADD", "vv", "RHX"),
    ("SUB", "vv", "RHX"),
    ("MUL", "vv", "RHX"),
    ("MIN", "vv", "RHX"),
    ("MAX", "vv", "RHX"),
    ("SLT", "vv", "RHX"),
    ("SGE", "vv", "RHX"),
    ("SEQ", "vv", "RHX"),
    ("SNE", "vv", "RHX"),
    ("SLE", "vv", "RHX"),
    ("SGT", "vv", "RHX"),
    ("SFL", "vv", "RHX"),
    ("STR", "vv", "RHX"),
    ("DP3", "vv", "RHX"),
    ("DP4", "vv", "RHX"),
    ("MAD", "vvv", "RHX"),
    ("LRP", "vvv", "RHX"),
    ("MOV", "v", "RHX"),
    ("FLR", "v", "RHX"),
    ("FRC", "v", "RHX"),
    ("DST", "vv", "RH"),
    ("X2D", "vvv", "RH"),
    ("LIT", "v", "RH"),
    ("DDX", "v", "RH"),
    ("DDY", "v", "RH"),
    ("RCP", "s", "RH"),
    ("RSQ", "s", "RH"),
    ("EX2", "s", "RH"),
    ("LG2", "s", "RH"),
    ("SIN", "s", "RH"),
    ("COS", "s", "RH"),
    ("POW", "ss", "RH"),
    // Moves and comparisons again: they feed the condition code.
    ("MOV", "v", "RHX"),
    ("SGT", "vv", "RHX"),
    ("ADD", "vv", "RHX"),
];
const PACKS: [&str; 4] = ["PK2H", "PK2US", "PK4B", "PK4UB"];
const UNPACKS: [&str; 4] = ["UP2H", "UP2US", "UP4B", "UP4UB"];
const TESTS: [&str; 8] = ["EQ", "NE", "LT", "GE", "LE", "GT", "TR", "FL"];

/// A valid `!!FP1.0` program that the list decides; about one instruction per ten numbers. Formats are mixed freely, many
/// writes are masked and tested, condition codes are updated under masks and tests.
pub fn nv_program(list: &[u32]) -> String {
    let mut writer = Writer { c: Choices::new(list) };
    let mut out = String::from("!!FP1.0\n");
    // Something to compute with.
    out.push_str("MOVR R0, f[TEX0];\nMOVH H0, f[COL0];\nMULR R1, R0, p[0];\nMOVX H1, p[1];\n");
    for _ in 0..120 {
        if writer.c.is_empty() {
            break;
        }
        out.push_str(&writer.instruction());
        out.push_str(";\n");
    }
    out.push_str("MOVR o[COLR], R3;\nEND\n");
    out
}

struct Writer<'c> {
    c: Choices<'c>,
}

impl Writer<'_> {
    fn instruction(&mut self) -> String {
        match self.c.below(24) {
            0 => {
                let pack = self.c.one(&PACKS);
                let (dst, src) = (self.destination(false), self.vector(false));
                format!("{pack} {dst}, {src}")
            }
            1 => {
                let (unpack, cc) = (self.c.one(&UNPACKS), self.cc());
                let n = self.c.below(4);
                let comp = self.component();
                let sign = if self.c.once_in(4) { "-" } else { "" };
                let dst = self.destination(true);
                format!("{unpack}{cc} {dst}, {sign}R{n}.{comp}")
            }
            2 => {
                // Most lanes live on.
                let test = self.c.one(&["LT", "GT", "EQ", "FL", "FL", "FL"]);
                let swizzle = self.swizzle();
                format!("KIL {test}{swizzle}")
            }
            3 => {
                let (cc, dst, src) = (self.cc(), self.destination(true), self.vector(false));
                format!("TEX{cc} {dst}, {src}, TEX0, 2D")
            }
            4 | 5 => {
                // Condition codes alone, in the format of RC or HC.
                let file = self.c.one(&["RC", "HC"]);
                let (mask, test, src) = (self.mask(), self.test(), self.vector(true));
                format!("MOVC {file}{mask}{test}, {src}")
            }
            _ => {
                let (name, shape, letters) = self.c.one(&OPCODES);
                let letters: Vec<char> = letters.chars().collect();
                let letter = self.c.one(&letters);
                let (cc, clamp) = (self.cc(), if self.c.once_in(5) { "_SAT" } else { "" });
                let mut out = format!("{name}{letter}{cc}{clamp} {}", self.destination(true));
                // One operand at most may be an attribute, a parameter or a number.
                let outer = self.c.below(shape.len() + 1);
                for (n, kind) in shape.chars().enumerate() {
                    out.push_str(", ");
                    let operand = if kind == 's' { self.scalar(n == outer) } else { self.vector(n == outer) };
                    out.push_str(&operand);
                }
                out
            }
        }
    }

    fn cc(&mut self) -> &'static str {
        if self.c.once_in(3) { "C" } else { "" }
    }

    fn component(&mut self) -> char {
        self.c.one(&['x', 'y', 'z', 'w'])
    }

    /// Nothing half of the time, else an ordered subset.
    fn mask(&mut self) -> String {
        match self.c.below(32) {
            bits @ 1..15 => {
                let letters = "xyzw".chars().enumerate().filter(|(n, _)| bits >> n & 1 == 1);
                format!(".{}", letters.map(|(_, letter)| letter).collect::<String>())
            }
            _ => String::new(),
        }
    }

    fn swizzle(&mut self) -> String {
        match self.c.below(3) {
            0 => String::new(),
            1 => format!(".{}", self.component()),
            _ => format!(".{}{}{}{}", self.component(), self.component(), self.component(), self.component()),
        }
    }

    fn test(&mut self) -> String {
        if !self.c.once_in(3) {
            return String::new();
        }
        format!(" ({}{})", self.c.one(&TESTS), self.swizzle())
    }

    fn destination(&mut self, narrow: bool) -> String {
        let file = if narrow && self.c.once_in(2) { 'H' } else { 'R' };
        format!("{file}{}{}{}", self.c.below(4), self.mask(), self.test())
    }

    fn register(&mut self) -> String {
        format!("{}{}", self.c.one(&['R', 'H']), self.c.below(4))
    }

    fn base(&mut self, outer: bool) -> String {
        match self.c.below(4) {
            0 if outer => "f[TEX0]".into(),
            1 if outer => "f[COL0]".into(),
            2 if outer => format!("p[{}]", self.c.below(3)),
            3 if outer => "{0.5, -1.25, 3, 1000}".into(),
            _ => self.register(),
        }
    }

    fn signed(&mut self, operand: String) -> String {
        match self.c.below(8) {
            0 => format!("-{operand}"),
            1 => format!("|{operand}|"),
            2 => format!("-|{operand}|"),
            _ => operand,
        }
    }

    fn vector(&mut self, outer: bool) -> String {
        let operand = format!("{}{}", self.base(outer), self.swizzle());
        self.signed(operand)
    }

    fn scalar(&mut self, outer: bool) -> String {
        let operand = format!("{}.{}", self.base(outer), self.component());
        self.signed(operand)
    }
}
