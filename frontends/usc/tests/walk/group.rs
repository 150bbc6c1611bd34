//! Groups as the walk knows them, and how they are written.

use std::fmt::{self, Display, Formatter, Write};

/// Register banks of a program here. `I` registers are scarce and kept per instance like temporaries.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bank {
    R,
    Vi,
    Sh,
    I,
    O,
    C,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reg(pub(crate) Bank, pub(crate) u16);

/// A source with its modifiers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Src {
    pub(crate) reg: Reg,
    pub(crate) flr: bool,
    pub(crate) abs: bool,
    pub(crate) neg: bool,
    /// Byte or half.
    pub(crate) element: Option<u8>,
}

/// Phase 0 or phase 1, whichever it stands in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Arith {
    Add {
        sat: bool,
        a: Src,
        b: Src,
    },
    Mul {
        sat: bool,
        a: Src,
        b: Src,
    },
    Mad {
        sat: bool,
        a: Src,
        b: Src,
        c: Src,
    },
    Byp(Src),
    /// Across the columns or the rows of the quad; of the own row or column, or of the first.
    Gradient {
        rows: bool,
        fine: bool,
        a: Src,
    },
    /// Phase 0 alone from here on.
    Unpack {
        format: Format,
        how: How,
        a: Src,
    },
    /// 8- or 16-bit elements.
    Narrow {
        kind: Kind,
        bits: u8,
        signed: bool,
        sat: bool,
        a: Src,
        b: Src,
        c: Src,
    },
    /// The high word of the second operand is `fte`.
    Add64 {
        a: [Src; 3],
        high: Reg,
        carry: bool,
    },
    Add6432 {
        signed: bool,
        a: [Src; 3],
        carry: bool,
    },
    Madd32 {
        signed: bool,
        a: [Src; 3],
        carry: bool,
    },
    Madd64 {
        signed: bool,
        a: [Src; 3],
        high: Reg,
        carry: bool,
    },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Add,
    Mul,
    Mad,
}

/// Conversion between floats and packed fields.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Plain,
    Scale,
    RoundZero,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    U8888,
    S8888,
    O8888,
    U1616,
    S1616,
    U32,
    S32,
    U1010102,
    S111110,
    F16F16,
    F32,
}

impl Format {
    pub(crate) const ALL: [Format; 11] = [
        Format::U8888,
        Format::S8888,
        Format::O8888,
        Format::U1616,
        Format::S1616,
        Format::U32,
        Format::S32,
        Format::U1010102,
        Format::S111110,
        Format::F16F16,
        Format::F32,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::U8888 => "u8888",
            Format::S8888 => "s8888",
            Format::O8888 => "o8888",
            Format::U1616 => "u1616",
            Format::S1616 => "s1616",
            Format::U32 => "u32",
            Format::S32 => "s32",
            Format::U1010102 => "u1010102",
            Format::S111110 => "s111110",
            Format::F16F16 => "f16f16",
            Format::F32 => "f32",
        }
    }

    /// Widths of the fields, lowest first.
    pub(crate) fn fields(self) -> &'static [u32] {
        match self {
            Format::U8888 | Format::S8888 | Format::O8888 => &[8; 4],
            Format::U1616 | Format::S1616 | Format::F16F16 => &[16; 2],
            Format::U32 | Format::S32 | Format::F32 => &[32],
            Format::U1010102 => &[10, 10, 10, 2],
            Format::S111110 => &[11, 11, 10],
        }
    }

    /// What the conversions may be asked for.
    pub(crate) fn hows(self) -> &'static [How] {
        match self {
            Format::U8888 | Format::S8888 | Format::U1616 | Format::S1616 | Format::U1010102 | Format::S111110 => {
                &[How::Plain, How::Scale]
            }
            Format::O8888 | Format::F32 => &[How::Plain],
            Format::U32 | Format::S32 | Format::F16F16 => &[How::Plain, How::RoundZero],
        }
    }
}

/// What phase 2 takes: a feed-through or the value of the group's `is0`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ft {
    Ft0,
    Ft1,
    Ft2,
    Fte,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    F32,
    U16,
    S16,
    U8,
    S8,
    U32,
    S32,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Z,
    Gz,
    Gez,
    C,
    E,
    G,
    Ge,
    Ne,
    L,
    Le,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) relation: Relation,
    pub(crate) ty: Type,
    pub(crate) element: Option<u8>,
    pub(crate) a: Ft,
    pub(crate) b: Ft,
    pub(crate) p0: bool,
}

/// Phase 2 moves of W0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// W0 comes from this.
    Whole(Ft),
    /// These bytes of W0 from the first, the others from the second.
    Bytes(u8, Ft, Ft),
    /// These bytes of W0 from the second where the test holds, the others, and all where it does not, from the first.
    Choice { mask: u8, no: Ft, yes: Ft, idle: Ft },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Main {
    pub(crate) phase0: Option<Arith>,
    pub(crate) phase1: Option<Arith>,
    pub(crate) pack: Option<(Format, How, Ft)>,
    pub(crate) test: Option<Test>,
    pub(crate) w0: Option<(Reg, Move)>,
    pub(crate) w1: Option<(Reg, Ft)>,
    /// What `fte` is.
    pub(crate) fte: Option<Reg>,
    /// Vertex output that W0 goes to; then no register takes it, and it is the first feed-through.
    pub(crate) uvsw: Option<u8>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Complex {
    Rcp,
    Rsq,
    Log,
    Exp,
}

/// One line of a sum of products: (a * b) op (c * d).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sop {
    pub(crate) dst: Reg,
    /// Half of the destination, or all of it as a wide float.
    pub(crate) half: Option<u8>,
    pub(crate) op: &'static str,
    pub(crate) a: Src,
    pub(crate) b: Factor,
    pub(crate) c: Src,
    pub(crate) d: Factor,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Src(Src),
    Zero,
    One,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    Zero,
    Msk(Reg, Reg),
    Byp(Reg, Reg),
    Literal(Reg, u32),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Cbs,
    Ftb,
    FtbShi,
    FtbMsb,
    Byp,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logical {
    /// `None`: ft4 = ft1.
    pub(crate) op: Option<&'static str>,
    pub(crate) masked: bool,
    pub(crate) inverted: bool,
    pub(crate) s3: Reg,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bitwise {
    pub(crate) mask: Mask,
    /// `lsl`, `shfl`, `rev`, `mov`, and the operands s2, s1.
    pub(crate) shift1: (&'static str, Reg, Reg),
    /// Whether it counts ft2, else s2.
    pub(crate) count: (Count, bool),
    pub(crate) logical: Option<Logical>,
    /// `lsl`, `shr`, `rol`, `asr.*`, `cps`, and s4.
    pub(crate) shift2: Option<(&'static str, Reg)>,
    /// Whether it is for nonzero, and for ft5.
    pub(crate) test: Option<(bool, bool)>,
    pub(crate) w0: Option<Reg>,
    pub(crate) w1: Option<Reg>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cnd {
    St { pcnd: u8, adj: u32 },
    Ef { pcnd: u8, adj: u32 },
    Sm { pcnd: u8, with: Reg },
    Lt { pcnd: u8, adj: u32 },
    End { adj: u32 },
    SetlB { with: Reg },
    Lpc,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Main(Main),
    /// One source, straight to W0.
    Complex(Complex, Reg, Src),
    /// Lines J and K.
    Sop(Sop, Option<Sop>),
    Bitwise(Bitwise),
    /// Counter, and what is done to it.
    Cnd(Cnd, Reg),
    /// To a group of the program, or behind its last one.
    Branch(Who, usize),
    /// The same, with the address of the next group as link address.
    Call(usize),
    /// To the link address.
    Return,
    /// The link address into a register.
    Save(Reg),
    /// What is added to the numbers of shared registers.
    Base(u16),
}

/// Which instances of the quad have to satisfy the condition of a branch.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Any, without a suffix.
    Some,
    Any,
    All,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Pe,
    P0,
    Always,
    NotP0,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub(crate) condition: Condition,
    pub(crate) repeat: u8,
    pub(crate) end: bool,
    pub(crate) body: Body,
}

impl Display for Reg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bank = match self.0 {
            Bank::R => "r",
            Bank::Vi => "vi",
            Bank::Sh => "sh",
            Bank::I => "i",
            Bank::O => "o",
            Bank::C => "c",
        };
        write!(f, "{bank}{}", self.1)
    }
}

impl Src {
    pub(crate) fn plain(reg: Reg) -> Src {
        Src { reg, flr: false, abs: false, neg: false, element: None }
    }
}

impl Display for Src {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reg)?;
        for (set, suffix) in [(self.flr, ".flr"), (self.abs, ".abs"), (self.neg, ".neg")] {
            f.write_str(if set { suffix } else { "" })?;
        }
        self.element.map_or(Ok(()), |element| write!(f, ".e{element}"))
    }
}

fn suffix(set: bool, text: &'static str) -> &'static str {
    if set { text } else { "" }
}

fn predicate(set: bool) -> &'static str {
    if set { "p0" } else { "_" }
}

fn bytes(mask: u8) -> String {
    (0..4).filter(|byte| mask >> byte & 1 != 0).map(|byte| format!(".e{byte}")).collect()
}

fn how(how: How) -> &'static str {
    match how {
        How::Plain => "",
        How::Scale => ".scale",
        How::RoundZero => ".roundzero",
    }
}

impl Arith {
    fn text(&self, ft: &str) -> String {
        match self {
            Arith::Add { sat, a, b } => format!("fadd{} {ft}, {a}, {b}", suffix(*sat, ".sat")),
            Arith::Mul { sat, a, b } => format!("fmul{} {ft}, {a}, {b}", suffix(*sat, ".sat")),
            Arith::Mad { sat, a, b, c } => format!("fmad{} {ft}, {a}, {b}, {c}", suffix(*sat, ".sat")),
            Arith::Byp(a) => format!("mov {ft}, {a}"),
            Arith::Gradient { rows, fine, a } => {
                format!("fds{}{} {ft}, {a}", if *rows { "y" } else { "x" }, suffix(*fine, "f"))
            }
            Arith::Unpack { format, how: with, a } => format!("unpck.{}{} {ft}, {a}", format.name(), how(*with)),
            Arith::Narrow { kind, bits, signed, sat, a, b, c } => {
                let sign = if *signed { "i" } else { "u" };
                let sat = suffix(*sat, ".sat");
                match kind {
                    Kind::Add => format!("{sign}add{bits}{sat} {ft}, {a}, {b}"),
                    Kind::Mul => format!("{sign}mul{bits}{sat} {ft}, {a}, {b}"),
                    Kind::Mad => format!("{sign}mad{bits}{sat} {ft}, {a}, {b}, {c}"),
                }
            }
            Arith::Add64 { a: [a, b, c], high, carry } => {
                format!("add64 {ft}, {a}, {b}, {c}, {high}, {}", predicate(*carry))
            }
            Arith::Add6432 { signed, a: [a, b, c], carry } => {
                format!("{}add6432 {ft}, {a}, {b}, {c}, {}", if *signed { "s" } else { "u" }, predicate(*carry))
            }
            Arith::Madd32 { signed, a: [a, b, c], carry } => {
                format!("{}madd32 {ft}, {a}, {b}, {c}, {}", if *signed { "s" } else { "u" }, predicate(*carry))
            }
            Arith::Madd64 { signed, a: [a, b, c], high, carry } => {
                let sign = if *signed { "s" } else { "u" };
                format!("{sign}madd64 {ft}, {a}, {b}, {c}, {high}, {}", predicate(*carry))
            }
        }
    }
}

impl Main {
    /// Whether `fte` is the high word of a 64-bit result.
    pub(crate) fn fte_is_high(&self) -> bool {
        matches!(self.phase0, Some(Arith::Add64 { .. } | Arith::Add6432 { .. } | Arith::Madd64 { .. }))
    }

    fn feed(&self, ft: Ft) -> String {
        match ft {
            Ft::Ft0 => "ft0".into(),
            Ft::Ft1 => "ft1".into(),
            Ft::Ft2 => "ft2".into(),
            Ft::Fte if self.fte_is_high() => "fte".into(),
            Ft::Fte => self.fte.map_or("fte".into(), |reg| reg.to_string()),
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.phase0.map(|op| op.text("ft0")));
        lines.extend(self.phase1.map(|op| op.text("ft1")));
        lines.extend(
            self.pack
                .map(|(format, with, from)| format!("pck.{}{} ft2, {}", format.name(), how(with), self.feed(from))),
        );
        if let Some(Test { relation, ty, element, a, b, p0 }) = self.test {
            let name = format!("{relation:?}").to_lowercase();
            let ty = format!("{ty:?}").to_lowercase();
            let element = element.map_or(String::new(), |element| format!(".e{element}"));
            let mut line = format!("tst{name}.{ty} ftt, {}", predicate(p0));
            if relation != Relation::C {
                let _ = write!(line, ", {}{element}", self.feed(a));
            }
            if !matches!(relation, Relation::Z | Relation::Gz | Relation::Gez | Relation::C) {
                let _ = write!(line, ", {}{element}", self.feed(b));
            }
            lines.push(line);
        }
        if let Some(address) = self.uvsw {
            lines.push("mov ft0.e0.e1.e2.e3, ft0".into());
            lines.push(format!("uvsw.write ft0, {address}"));
        }
        lines.extend(self.w0.map(|(reg, how)| match how {
            // A register can only be named where bytes are.
            Move::Whole(Ft::Fte) if !self.fte_is_high() => format!("mov {reg}.e0.e1.e2.e3, {}", self.feed(Ft::Fte)),
            Move::Whole(from) => format!("mov {reg}, {}", self.feed(from)),
            Move::Bytes(mask, from, rest) => {
                format!("mov {reg}{}, {}, {}", bytes(mask), self.feed(from), self.feed(rest))
            }
            Move::Choice { mask, no, yes, idle } => {
                format!("mov {reg}{}, {}, ftt, {}, {}", bytes(mask), self.feed(no), self.feed(yes), self.feed(idle))
            }
        }));
        lines.extend(self.w1.map(|(reg, from)| format!("mov {reg}, {}", self.feed(from))));
        lines
    }
}

impl Display for Factor {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Factor::Src(src) => src.fmt(f),
            Factor::Zero => f.write_str("0"),
            Factor::One => f.write_str("0.oneminus"),
        }
    }
}

impl Sop {
    fn text(&self, out: &str) -> String {
        let Sop { dst, half, op, a, b, c, d } = self;
        let half = half.map_or(String::new(), |half| format!(".e{half}"));
        format!("sop {dst}{half}.{out}, {a}, {b}, {op}, {c}, {d}")
    }
}

impl Bitwise {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![match self.mask {
            Mask::Zero => "mov ft0, ft1, c0, c0".to_string(),
            Mask::Msk(a, b) => format!("msk ft0, ft1, {a}, {b}"),
            Mask::Byp(a, b) => format!("mov ft0, ft1, {a}, {b}"),
            Mask::Literal(a, b) => format!("mov ft0, ft1, {a}, {b:#x}"),
        }];
        let (op, s2, s1) = self.shift1;
        lines.push(match op {
            "rev" | "mov" => format!("{op} ft2, {s2}"),
            _ => format!("{op} ft2, {s2}, {s1}"),
        });
        let (op, of_ft2) = self.count;
        let name = match op {
            Count::Cbs => "cbs",
            Count::Ftb => "ftb",
            Count::FtbShi => "ftb_shi",
            Count::FtbMsb => "ftb_msb",
            Count::Byp => "mov",
        };
        lines.push(format!("{name} ft3, {}", if of_ft2 { "ft2".into() } else { s2.to_string() }));
        lines.extend(self.logical.map(|l| match l.op {
            None => "mov ft4, ft1".into(),
            Some(op) => {
                let mask = if l.masked { "ft1" } else { "_" };
                let inverted = if l.inverted { "ft1.invert" } else { "_" };
                format!("{op} ft4, {mask}, ft2, {inverted}, {}", l.s3)
            }
        }));
        lines.extend(self.shift2.map(|(op, s4)| match op {
            "cps" => format!("cps ft5, p0, ft4, {s4}"),
            _ => format!("{op} ft5, ft4, {s4}"),
        }));
        lines.extend(self.test.map(|(nonzero, of_ft5)| {
            format!("{} p0, {}", if nonzero { "tnz" } else { "tz" }, if of_ft5 { "ft5" } else { "ft3" })
        }));
        let last = match (self.shift2, self.logical) {
            (Some(_), _) => "ft5",
            (_, Some(_)) => "ft4",
            _ => "ft1",
        };
        lines.extend(self.w0.map(|reg| format!("mov {reg}, {last}")));
        lines.extend(self.w1.map(|reg| format!("mov {reg}, ft3")));
        lines
    }
}

impl Group {
    pub(crate) fn lines(&self) -> Vec<String> {
        match &self.body {
            Body::Main(main) => main.lines(),
            Body::Complex(op, dst, src) => {
                let name = match op {
                    Complex::Rcp => "frcp",
                    Complex::Rsq => "frsq",
                    Complex::Log => "flog",
                    Complex::Exp => "fexp",
                };
                vec![format!("{name} {dst}, {src}")]
            }
            Body::Sop(j, k) => {
                let mut lines = vec![j.text("joutj")];
                lines.extend(k.map(|k| k.text("koutk")));
                lines
            }
            Body::Bitwise(bitwise) => bitwise.lines(),
            Body::Branch(who, to) => {
                let suffix = match who {
                    Who::Some => "",
                    Who::Any => ".anyinst",
                    Who::All => ".allinst",
                };
                vec![format!("br{suffix} group{to}")]
            }
            Body::Call(to) => vec![format!("brl group{to}")],
            Body::Return => vec!["lapc".to_string()],
            Body::Save(reg) => vec![format!("savl {reg}")],
            Body::Base(offset) => vec![format!("sbo.shared {offset}")],
            Body::Cnd(cnd, m) => vec![match cnd {
                Cnd::St { pcnd, adj } => format!("cndst {pcnd}, {m}, {m}, {adj}"),
                Cnd::Ef { pcnd, adj } => format!("cndef {pcnd}, {m}, {m}, {adj}"),
                Cnd::Sm { pcnd, with } => format!("cndsm {pcnd}, {m}, {m}, {with}"),
                Cnd::Lt { pcnd, adj } => format!("cndlt {pcnd}, {m}, p0, {m}, {adj}"),
                Cnd::End { adj } => format!("cndend {m}, {m}, {adj}"),
                Cnd::SetlB { with } => format!("cndsetl.b {m}, {m}, {with}"),
                Cnd::Lpc => format!("cndlpc {m}, {m}"),
            }],
        }
    }

    /// The group under its number.
    pub(crate) fn text(&self, number: usize) -> String {
        let mut prefix = String::new();
        match self.condition {
            Condition::Pe => {}
            Condition::P0 => prefix.push_str("if(p0) "),
            Condition::Always => prefix.push_str("(ignorepe) "),
            Condition::NotP0 => prefix.push_str("if(!p0) "),
        }
        if self.end {
            prefix.push_str("(end) ");
        }
        if self.repeat > 1 {
            let _ = write!(prefix, "(rpt{}) ", self.repeat);
        }
        let body = self.lines().join("\n        ");
        if prefix.is_empty() { format!("{number} : {body}\n") } else { format!("{number} : {prefix}{{ {body} }}\n") }
    }
}

/// The program as a file. Groups that branches lead to have labels.
pub(crate) fn text(groups: &[Group]) -> String {
    let mut out = String::new();
    for number in 0..=groups.len() {
        if groups.iter().any(|group| matches!(group.body, Body::Branch(_, to) | Body::Call(to) if to == number)) {
            let _ = writeln!(out, "group{number}:");
        }
        out.extend(groups.get(number).map(|group| group.text(number)));
    }
    out
}
