//! Random groups, such as a compiler makes and as none would.

use crate::group::*;
use parallax_random::Random;

/// Registers programs here read and write: few, so that groups depend on each other.
const TEMPORARIES: u64 = 8;
const INPUTS: u64 = 4;
const UNIFORMS: u64 = 8;
const INTERNALS: u64 = 4;

fn constant(random: &mut Random) -> Reg {
    let n = random.pick(&[0, 1, 2, 3, 7, 8, 15, 31, 64, 64, 65, 75, 76, 88, 143]);
    Reg(Bank::C, n)
}

/// A register any source can name.
fn near(random: &mut Random) -> Reg {
    match random.below(8) {
        0..4 => Reg(Bank::R, random.below(TEMPORARIES) as u16),
        4 => Reg(Bank::Vi, random.below(INPUTS) as u16),
        5 | 6 => Reg(Bank::I, random.below(INTERNALS) as u16),
        _ => constant(random),
    }
}

/// A register the first and third source of phase 0 and the first of phase 1 can name.
fn any(random: &mut Random) -> Reg {
    if random.below(3) == 0 { Reg(Bank::Sh, random.below(UNIFORMS) as u16) } else { near(random) }
}

fn destination(random: &mut Random) -> Reg {
    match random.below(8) {
        0..5 => Reg(Bank::R, random.below(TEMPORARIES) as u16),
        5 | 6 => Reg(Bank::I, random.below(INTERNALS) as u16),
        _ => Reg(Bank::O, random.below(4) as u16),
    }
}

/// Which modifiers a source can have.
fn modified(random: &mut Random, reg: Reg, flr: bool, abs: bool, neg: bool) -> Src {
    let mut some = |can: bool| can && random.below(4) == 0;
    Src { flr: some(flr), abs: some(abs), neg: some(neg), ..Src::plain(reg) }
}

fn arith(random: &mut Random, second: bool) -> Arith {
    let sat = random.below(4) == 0;
    let first = any(random);
    match random.below(7) {
        0 | 1 => {
            let reg = near(random);
            Arith::Add {
                sat,
                a: modified(random, first, true, true, true),
                b: modified(random, reg, false, true, false),
            }
        }
        2 => {
            let reg = near(random);
            Arith::Mul {
                sat,
                a: modified(random, first, true, true, true),
                b: modified(random, reg, false, true, false),
            }
        }
        3 | 4 => {
            let (b, c) = (near(random), if second { near(random) } else { any(random) });
            Arith::Mad {
                sat,
                a: modified(random, first, false, true, true),
                b: modified(random, b, false, true, true),
                c: modified(random, c, true, true, true),
            }
        }
        5 => Arith::Byp(modified(random, first, false, true, true)),
        _ => {
            let a = modified(random, first, false, true, true);
            Arith::Gradient { rows: random.below(2) == 0, fine: random.below(2) == 0, a }
        }
    }
}

/// Operations that stand in phase 0 alone. The encoding of 8- and 16-bit ones with elements does not tell its own length, so
/// they are drawn for texts only.
fn integer(random: &mut Random, encoded: bool) -> Arith {
    let a = [any(random), near(random), any(random)];
    let carry = random.below(3) == 0;
    let signed = random.below(2) == 0;
    match random.below(7) {
        1 | 2 if encoded => Arith::Byp(Src::plain(a[0])),
        0 => {
            let format = random.pick(&Format::ALL);
            let element = random.below(format.fields().len().min(4) as u64) as u8;
            Arith::Unpack {
                format,
                how: random.pick(format.hows()),
                a: Src { element: Some(element), ..Src::plain(a[0]) },
            }
        }
        1 | 2 => {
            let bits = random.pick(&[8, 16]);
            let mut part = |reg, neg| {
                let src = modified(random, reg, false, true, neg);
                Src { element: Some(1 + random.below(32 / u64::from(bits) - 1) as u8), ..src }
            };
            let [a, b, c] = [part(a[0], true), part(a[1], false), part(a[2], true)];
            let kind = random.pick(&[Kind::Add, Kind::Mul, Kind::Mad]);
            Arith::Narrow { kind, bits, signed, sat: random.below(2) == 0, a, b, c }
        }
        word => {
            let [x, y, z] = a;
            let a = [
                modified(random, x, false, true, true),
                modified(random, y, false, true, true),
                modified(random, z, false, true, true),
            ];
            match word {
                3 => Arith::Add64 { a, high: y, carry },
                4 => Arith::Add6432 { signed, a, carry },
                5 => Arith::Madd32 { signed, a, carry },
                _ => Arith::Madd64 { signed, a, high: x, carry },
            }
        }
    }
}

/// The registers an operation reads, without the word that is0 selects.
fn registers(op: &Arith) -> Vec<Reg> {
    match op {
        Arith::Add { a, b, .. } | Arith::Mul { a, b, .. } => vec![a.reg, b.reg],
        Arith::Mad { a, b, c, .. } => vec![a.reg, b.reg, c.reg],
        Arith::Byp(a) | Arith::Gradient { a, .. } | Arith::Unpack { a, .. } => vec![a.reg],
        Arith::Narrow { kind: Kind::Mad, a, b, c, .. } => vec![a.reg, b.reg, c.reg],
        Arith::Narrow { a, b, .. } => vec![a.reg, b.reg],
        Arith::Add64 { a, .. } | Arith::Add6432 { a, .. } | Arith::Madd32 { a, .. } | Arith::Madd64 { a, .. } => {
            a.iter().map(|src| src.reg).collect()
        }
    }
}

fn main(random: &mut Random, encoded: bool) -> Main {
    let alone = random.below(3) == 0;
    let phase0 = Some(if alone { integer(random, encoded) } else { arith(random, false) });
    let phase1 = (random.below(2) == 0).then(|| arith(random, true));
    let mut named: Vec<Reg> = phase0.iter().chain(&phase1).flat_map(registers).collect();
    if phase1.is_none() {
        named.push(any(random));
    }
    let mut main =
        Main { phase0, phase1, pack: None, test: None, w0: None, w1: None, fte: Some(random.pick(&named)), uvsw: None };
    if let Some(Arith::Add64 { high, .. } | Arith::Madd64 { high, .. }) = main.phase0 {
        main.fte = Some(high);
    }
    let mut feeds = vec![Ft::Ft0, Ft::Fte];
    feeds.extend(main.phase1.map(|_| Ft::Ft1));
    if random.below(4) == 0 {
        let format = random.pick(&Format::ALL);
        let how = random.pick(format.hows());
        main.pack = Some((format, how, random.pick(&feeds)));
        feeds.push(Ft::Ft2);
    }
    if random.below(3) == 0 {
        let ty = random.pick(&[Type::F32, Type::F32, Type::U32, Type::S32, Type::U16, Type::S16, Type::U8, Type::S8]);
        let elements = match ty {
            Type::U8 | Type::S8 => 4,
            Type::U16 | Type::S16 => 2,
            _ => 0,
        };
        let relation = random.pick(&[
            Relation::Z,
            Relation::Gz,
            Relation::Gez,
            Relation::C,
            Relation::E,
            Relation::G,
            Relation::Ge,
            Relation::Ne,
            Relation::L,
            Relation::Le,
        ]);
        main.test = Some(Test {
            relation,
            ty,
            element: (elements > 0 && relation != Relation::C).then(|| random.below(elements) as u8),
            a: random.pick(&[Ft::Ft0, Ft::Fte]),
            b: if main.phase1.is_some() { random.pick(&[Ft::Ft1, Ft::Fte]) } else { Ft::Fte },
            p0: random.below(2) == 0,
        });
    }
    if random.below(12) == 0 && main.pack.is_none() {
        main.uvsw = Some(random.below(8) as u8);
        return main;
    }
    if random.below(8) > 0 {
        let mask = random.below(15) as u8 + 1;
        let from = random.pick(&feeds);
        let how = match (random.below(4), main.test) {
            (0 | 1, Some(_)) => {
                // The first one is named as a feed-through.
                let no = random.pick(&[Ft::Ft0, if main.phase1.is_some() { Ft::Ft1 } else { Ft::Ft0 }]);
                Move::Choice { mask: if random.below(2) == 0 { 15 } else { mask }, no, yes: from, idle: no }
            }
            (0, None) => Move::Bytes(mask, from, random.pick(&feeds)),
            _ => Move::Whole(from),
        };
        main.w0 = Some((destination(random), how));
        if random.below(2) == 0 {
            main.w1 = Some((destination(random), random.pick(&feeds)));
        }
        // A test chooses both outputs; the second one's is the same either way.
        if let (Some((_, Move::Choice { idle, .. })), Some((_, from))) = (&mut main.w0, main.w1) {
            *idle = from;
        }
    }
    main
}

fn half(random: &mut Random) -> Src {
    let reg = near(random);
    let element = (reg.0 != Bank::C && random.below(2) == 0).then(|| random.below(2) as u8);
    Src { element, neg: random.below(4) == 0, ..Src::plain(reg) }
}

fn factor(random: &mut Random) -> Factor {
    match random.below(6) {
        0 => Factor::Zero,
        1 => Factor::One,
        _ => Factor::Src(Src { neg: false, ..half(random) }),
    }
}

fn sop(random: &mut Random, dst: Reg, half_of: Option<u8>) -> Sop {
    Sop {
        dst,
        half: half_of,
        op: random.pick(&["add", "sub", "rsub", "min", "max"]),
        a: half(random),
        b: factor(random),
        c: half(random),
        d: factor(random),
    }
}

fn bitwise(random: &mut Random, encoded: bool) -> Bitwise {
    let [s0, s1, s2, s3, s4] = [any(random), near(random), any(random), any(random), near(random)];
    let mask = match random.below(4) {
        0 => Mask::Zero,
        1 => Mask::Msk(s0, s1),
        2 => Mask::Byp(s0, s1),
        _ => Mask::Literal(s0, random.word() as u32 >> random.below(20)),
    };
    // Both units that take s1 take the same.
    let s1 = if mask == Mask::Zero { Reg(Bank::C, 0) } else { s1 };
    let shift1 = (random.pick(&["shfl", "rev", "lsl", "mov"]), s2, s1);
    let counts: &[Count] = if encoded {
        &[Count::Cbs, Count::Ftb, Count::Byp]
    } else {
        &[Count::Cbs, Count::Ftb, Count::Byp, Count::FtbShi, Count::FtbMsb]
    };
    let count = (random.pick(counts), random.below(2) == 0);
    let logical = (random.below(4) > 0).then(|| Logical {
        op: random.pick(&[None, Some("and"), Some("or"), Some("xor"), Some("nand"), Some("nor"), Some("xnor")]),
        masked: random.below(2) == 0,
        inverted: random.below(2) == 0,
        s3,
    });
    let shift2 = (logical.is_some() && random.below(3) > 0).then(|| {
        let ops = ["lsl", "shr", "rol", "cps", "asr.twb", "asr.pwb", "asr.mtb", "asr.ftb"];
        (random.pick(&ops), s4)
    });
    let test = (shift2.is_some() && random.below(3) == 0).then(|| (random.below(2) == 0, random.below(2) == 0));
    Bitwise {
        mask,
        shift1,
        count,
        logical,
        shift2,
        test,
        w0: Some(destination(random)),
        w1: (random.below(2) == 0).then(|| destination(random)),
    }
}

/// The register of mask counts.
pub(crate) const COUNT: Reg = Reg(Bank::R, 12);

fn conditional(random: &mut Random) -> Cnd {
    let (pcnd, adj) = (random.below(4) as u8, random.below(3) as u32);
    match random.below(8) {
        0 => Cnd::St { pcnd, adj },
        1 => Cnd::Ef { pcnd, adj },
        2 => Cnd::Sm { pcnd, with: Reg(Bank::C, random.below(3) as u16) },
        3 => Cnd::Lt { pcnd, adj },
        4 => Cnd::SetlB { with: any(random) },
        5 => Cnd::Lpc,
        _ => Cnd::End { adj },
    }
}

/// A group. `encoded`: one that has an encoding.
pub(crate) fn group(random: &mut Random, encoded: bool) -> Group {
    let body = match random.below(16) {
        0..9 => Body::Main(main(random, encoded)),
        9 => {
            let op = random.pick(&[Complex::Rcp, Complex::Rsq, Complex::Log, Complex::Exp]);
            let reg = any(random);
            Body::Complex(op, destination(random), modified(random, reg, false, true, true))
        }
        10 if !encoded => {
            let dst = destination(random);
            if random.below(2) == 0 {
                let low = random.below(2) as u8;
                let second = (random.below(2) == 0).then(|| sop(random, dst, Some(1 - low)));
                Body::Sop(sop(random, dst, Some(low)), second)
            } else {
                let other = Reg(Bank::R, 9);
                let second = (random.below(2) == 0).then(|| sop(random, other, None));
                Body::Sop(sop(random, dst, None), second)
            }
        }
        11 | 12 => Body::Cnd(conditional(random), COUNT),
        _ => Body::Bitwise(bitwise(random, encoded)),
    };
    let condition = match body {
        Body::Cnd(..) => Condition::Always,
        _ => random.pick(&[Condition::Pe, Condition::Pe, Condition::P0, Condition::NotP0, Condition::Always]),
    };
    // Control groups are not repeated.
    let repeat = if random.below(6) == 0 && !matches!(body, Body::Cnd(..)) { random.below(3) as u8 + 2 } else { 1 };
    Group { condition, repeat, end: false, body }
}

/// A word of a register: mostly tame floats and small integers, so that comparisons go either way.
pub(crate) fn word(random: &mut Random) -> u32 {
    match random.below(11) {
        0..6 => ((random.below(65) as f32 - 32.0) * 0.375).to_bits(),
        6 | 7 => (random.below(40) as i32 - 20) as u32,
        8 => random.word() as u32 & 0x3bff_3bff,
        _ => {
            let word = random.word() as u32;
            // The first read of an input as a float makes a signalling NaN quiet; the walk knows quiet ones only.
            if f32::from_bits(word).is_nan() { word | 1 << 22 } else { word }
        }
    }
}

/// Counts the rounds of all loops of a program.
const ROUNDS: Reg = Reg(Bank::R, 13);

/// Groups that go back to another one while there are rounds left, in any instance that runs.
fn go_back(random: &mut Random, to: usize) -> [Group; 3] {
    let [rounds, one, most] = [ROUNDS, Reg(Bank::C, 1), Reg(Bank::C, 3)].map(Src::plain);
    let main = Main { phase0: None, phase1: None, pack: None, test: None, w0: None, w1: None, fte: None, uvsw: None };
    let count = Main {
        phase0: Some(Arith::Madd32 { signed: false, a: [rounds, one, one], carry: false }),
        w0: Some((ROUNDS, Move::Whole(Ft::Ft0))),
        ..main.clone()
    };
    let test = Test { relation: Relation::L, ty: Type::U32, element: None, a: Ft::Ft0, b: Ft::Ft1, p0: true };
    let compare = Main { phase0: Some(Arith::Byp(rounds)), phase1: Some(Arith::Byp(most)), test: Some(test), ..main };
    let group = |condition, body| Group { condition, repeat: 1, end: false, body };
    let who = random.pick(&[Who::Some, Who::Any]);
    [
        group(Condition::Always, Body::Main(count)),
        group(Condition::Always, Body::Main(compare)),
        group(Condition::P0, Body::Branch(who, to)),
    ]
}

/// A program of about `count` groups. `encoded`: one that has an encoding, with branches.
pub(crate) fn program(random: &mut Random, count: u64, encoded: bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for _ in 0..count {
        match random.below(if encoded { 10 } else { 1 }) {
            8 => {
                let to = random.below(groups.len() as u64 + 1) as usize;
                groups.extend(go_back(random, to));
            }
            9 => {
                let who = random.pick(&[Who::Some, Who::Any, Who::All]);
                let condition = random.pick(&[Condition::Pe, Condition::P0, Condition::NotP0]);
                // Where to is decided when the program is complete.
                groups.push(Group { condition, repeat: 1, end: false, body: Body::Branch(who, usize::MAX) });
            }
            _ => groups.push(group(random, encoded)),
        }
    }
    let count = groups.len();
    for n in 0..count {
        if !matches!(groups[n].body, Body::Branch(_, usize::MAX)) {
            continue;
        }
        let mut to = n + 1 + random.below((count - n) as u64) as usize;
        // Whoever goes back has counted the round.
        while (1..3).any(|k| to >= k && groups.get(to - k).is_some_and(counts)) {
            to -= 1;
        }
        if let Body::Branch(_, target) = &mut groups[n].body {
            *target = to;
        }
    }
    groups
}

/// A program with two subroutines behind its end, which save the link address and return early at times, and with base offsets.
pub(crate) fn program_with_calls(random: &mut Random) -> Vec<Group> {
    let control = |condition, body| Group { condition, repeat: 1, end: false, body };
    // The link address `cndsetl` takes leads nowhere.
    let plain = |random: &mut Random| loop {
        let group = group(random, true);
        if !matches!(group.body, Body::Cnd(Cnd::SetlB { .. }, _)) {
            return group;
        }
    };
    let mut groups = Vec::new();
    for _ in 0..2 + random.below(5) {
        groups.push(match random.below(6) {
            0..3 => {
                let condition = random.pick(&[
                    Condition::Pe,
                    Condition::P0,
                    Condition::NotP0,
                    Condition::Always,
                    Condition::Always,
                ]);
                control(condition, Body::Call(random.below(2) as usize))
            }
            3 => control(Condition::Always, Body::Base(random.below(5) as u16)),
            _ => plain(random),
        });
    }
    let nothing =
        Main { phase0: None, phase1: None, pack: None, test: None, w0: None, w1: None, fte: None, uvsw: None };
    let copy = Main { phase0: Some(Arith::Byp(Src::plain(Reg(Bank::C, 1)))), ..nothing };
    groups.push(Group { end: true, ..control(Condition::Always, Body::Main(copy)) });
    let mut starts = [0; 2];
    for start in &mut starts {
        *start = groups.len();
        if random.below(2) == 0 {
            groups.push(control(random.pick(&[Condition::Pe, Condition::Always]), Body::Save(Reg(Bank::R, 11))));
        }
        for _ in 0..random.below(3) {
            groups.push(plain(random));
            if random.below(4) == 0 {
                groups.push(control(Condition::P0, Body::Return));
            }
        }
        groups.push(control(Condition::Always, Body::Return));
    }
    for group in &mut groups {
        if let Body::Call(to) = &mut group.body {
            *to = starts[*to];
        }
    }
    groups
}

/// Whether a group counts a round.
fn counts(group: &Group) -> bool {
    matches!(&group.body, Body::Main(Main { w0: Some((ROUNDS, _)), .. }))
}
