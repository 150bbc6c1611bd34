//! Functions that a library expands, against the formulas of its documents, written out once more here: each step by the reference
//! evaluation under the model's rule. Every engine carries them out.

use parallax_core::LibraryFn::{self, *};
use parallax_core::num::{Contract, Decl, Format, Library, Model, Op, Rule, Saturate, Slot, Storage, eval, ulp};
use parallax_core::text::read;
use parallax_tests::filetest::run;
use parallax_text::parse_u64;

const FUNCTIONS: [(LibraryFn, &str, usize); 12] = [
    (Asin, "asin", 1),
    (Acos, "acos", 1),
    (Atan, "atan", 1),
    (Atan2, "atan2", 2),
    (Tanh, "tanh", 1),
    (Asinh, "asinh", 1),
    (Acosh, "acosh", 1),
    (SmoothStep, "smoothstep", 3),
    (Normalize, "normalize", 2),
    (Reflect, "reflect", 3),
    (Refract, "refract", 4),
    (Cross, "cross", 4),
];

/// Lanes of a run.
const LANES: usize = 64;

/// A unit that computes step by step.
struct Unit {
    model: Model,
    slot: Slot,
}

impl Unit {
    fn under(&self, op: Op, slot: &Slot, args: &[u64]) -> u64 {
        eval(op, &self.model.rule(op, slot, self.model.storage(slot.decl)).0, args)
    }

    fn op(&self, op: Op, args: &[u64]) -> u64 {
        self.under(op, &self.slot, args)
    }

    /// A number in the format of the slot.
    fn n(&self, value: f64) -> u64 {
        let decl = self.slot.decl;
        let bits = ulp::from_f64(value, &Rule::ieee(decl, decl.format()));
        eval(Op::Cvt, &self.model.rule(Op::Cvt, &Slot::plain(decl), decl.format().storage()).0, &[bits])
    }

    fn add(&self, a: u64, b: u64) -> u64 {
        self.op(Op::Add, &[a, b])
    }

    fn sub(&self, a: u64, b: u64) -> u64 {
        self.op(Op::Sub, &[a, b])
    }

    fn mul(&self, a: u64, b: u64) -> u64 {
        self.op(Op::Mul, &[a, b])
    }

    fn div(&self, a: u64, b: u64) -> u64 {
        self.op(Op::Div, &[a, b])
    }

    fn sqrt(&self, a: u64) -> u64 {
        self.op(Op::Sqrt, &[a])
    }

    fn abs(&self, a: u64) -> u64 {
        self.op(Op::Abs, &[a])
    }

    fn neg(&self, a: u64) -> u64 {
        self.op(Op::Neg, &[a])
    }

    /// A multiply-add that only a driver without it splits.
    fn ffma(&self, a: u64, b: u64, c: u64) -> u64 {
        self.under(Op::Mad, &Slot { contract: Contract::Model, ..self.slot }, &[a, b, c])
    }

    /// The multiply-add of Mesa 22.3 as llvmpipe was measured with it.
    fn mad(&self, a: u64, b: u64, c: u64) -> u64 {
        self.op(Op::Mad, &[a, b, c])
    }

    fn lt(&self, a: u64, b: u64) -> bool {
        self.op(Op::FLt, &[a, b]) != 0
    }

    fn le(&self, a: u64, b: u64) -> bool {
        self.op(Op::FLe, &[a, b]) != 0
    }

    fn eq(&self, a: u64, b: u64) -> bool {
        self.op(Op::FEq, &[a, b]) != 0
    }

    fn exp(&self, x: u64) -> u64 {
        self.op(Op::Exp2, &[self.mul(x, self.n(std::f64::consts::LOG2_E))])
    }

    fn log(&self, x: u64) -> u64 {
        self.mul(self.op(Op::Log2, &[x]), self.n(std::f64::consts::LN_2))
    }

    fn clamp(&self, x: u64, low: f64, high: f64) -> u64 {
        self.op(Op::Min, &[self.op(Op::Max, &[x, self.n(low)]), self.n(high)])
    }

    fn has_sign(&self, x: u64) -> bool {
        let word = self.under(Op::BitsOf, &Slot::plain(self.slot.decl), &[x]);
        word & if self.slot.decl == Decl::F16 { 0x8000 } else { 0x8000_0000 } != 0
    }

    fn with_sign(&self, x: u64, of: u64) -> u64 {
        if self.has_sign(of) { self.neg(self.abs(x)) } else { self.abs(x) }
    }

    fn sign_times(&self, x: u64, size: u64) -> u64 {
        self.mul(self.op(Op::Sign, &[x]), size)
    }
}

const PI: f64 = std::f64::consts::PI;

/// Mesa 22.3: vtn_glsl450.c, nir_builtin_builder.c, each step in the order in which llvmpipe was measured.
fn mesa22(u: &Unit, function: LibraryFn, a: &[u64]) -> u64 {
    let one = u.n(1.0);
    let arc = |u: &Unit, x: u64, p0: f64, p1: f64| {
        let (size, right) = (u.abs(x), u.n(PI / 2.0));
        let inner = u.mad(size, u.n(p1), u.n(p0));
        let inner = u.mad(size, inner, u.n(f64::from(std::f32::consts::FRAC_PI_4 - 1.0)));
        let inner = u.mad(size, inner, right);
        let root = u.sqrt(u.sub(one, size));
        u.sign_times(x, u.sub(right, u.mul(root, inner)))
    };
    match function {
        Asin => {
            let x = a[0];
            let x2 = u.mul(x, x);
            let p = u.mad(x2, u.n(-8.6563630030e-03), u.n(-4.2743422091e-02));
            let p = u.mul(x2, u.mad(x2, p, u.n(1.6666586697e-01)));
            let q = u.mad(x2, u.n(-7.0662963390e-01), one);
            let small = u.mad(x, u.div(p, q), x);
            if u.lt(u.abs(x), u.n(0.5)) { small } else { arc(u, x, 0.086566724, -0.03102955) }
        }
        Acos => u.sub(u.n(PI / 2.0), arc(u, a[0], 0.08132463, -0.02363318)),
        Atan => atan22(u, a[0]),
        Atan2 => mesa_atan2(u, a[0], a[1], &atan22),
        Tanh => {
            let x = u.clamp(a[0], -10.0, 10.0);
            let (up, down) = (u.exp(x), u.exp(u.neg(x)));
            let ratio = u.div(u.sub(up, down), u.add(up, down));
            if u.lt(u.n(0.0), u.abs(a[0])) { ratio } else { a[0] }
        }
        Asinh => u.sign_times(a[0], u.log(u.add(u.abs(a[0]), u.sqrt(u.mad(a[0], a[0], one))))),
        Acosh => u.log(u.add(a[0], u.sqrt(u.mad(a[0], a[0], u.n(-1.0))))),
        SmoothStep => {
            let t = u.clamp(u.div(u.sub(a[2], a[0]), u.sub(a[1], a[0])), 0.0, 1.0);
            u.mul(t, u.mul(t, u.sub(u.n(3.0), u.mul(u.n(2.0), t))))
        }
        Normalize => u.div(a[0], u.sqrt(a[1])),
        Reflect => u.sub(a[0], u.mul(u.mul(a[2], u.n(2.0)), a[1])),
        Refract => {
            let (i, n, eta, dot) = (a[0], a[1], a[2], a[3]);
            let k = u.sub(one, u.mul(eta, u.mul(eta, u.sub(one, u.mul(dot, dot)))));
            let along = u.mad(eta, dot, u.sqrt(k));
            if u.lt(k, u.n(0.0)) { u.n(0.0) } else { u.sub(u.mul(eta, i), u.mul(along, n)) }
        }
        Cross => u.mad(a[0], a[1], u.neg(u.mul(a[2], a[3]))),
    }
}

fn atan22(u: &Unit, x: u64) -> u64 {
    let (one, size) = (u.n(1.0), u.abs(x));
    let v = u.div(u.op(Op::Min, &[size, one]), u.op(Op::Max, &[size, one]));
    let v2 = u.mul(v, v);
    let v3 = u.mul(v, v2);
    let v5 = u.mul(v3, v2);
    let v7 = u.mul(v5, v2);
    let v9 = u.mul(v7, v2);
    let v11 = u.mul(v9, v2);
    let terms = [
        u.mul(v, u.n(0.9999793128310355)),
        u.mul(v3, u.n(-0.3326756418091246)),
        u.mul(v5, u.n(0.193892497711561)),
        u.mul(v7, u.n(-0.1173503194786851)),
        u.mul(v9, u.n(0.0536813784310406)),
        u.mul(v11, u.n(-0.0121323213173444)),
    ];
    let mut sum = terms[0];
    for term in &terms[1..] {
        sum = u.add(sum, *term);
    }
    if u.lt(one, size) {
        sum = u.add(u.mad(sum, u.n(-2.0), u.n(PI / 2.0)), sum);
    }
    u.mul(sum, u.op(Op::Sign, &[x]))
}

fn mesa_atan2(u: &Unit, y: u64, x: u64, atan: &dyn Fn(&Unit, u64) -> u64) -> u64 {
    let (zero, one) = (u.n(0.0), u.n(1.0));
    let flip = u.op(Op::FGe, &[zero, x]) != 0;
    let (s, t) = if flip { (u.abs(x), y) } else { (y, u.abs(x)) };
    let huge = u.n(if u.slot.decl == Decl::F16 { 16384.0 } else { 1e18 });
    let scale = if u.op(Op::FGe, &[u.abs(t), huge]) != 0 { u.n(0.25) } else { one };
    let inverse = u.op(Op::Rcp, &[u.mul(t, scale)]);
    let quotient = u.abs(u.mul(u.mul(s, scale), inverse));
    let tangent = if u.eq(u.abs(x), u.abs(y)) { one } else { quotient };
    let arc = u.add(if flip { u.n(PI / 2.0) } else { zero }, atan(u, tangent));
    if u.lt(u.op(Op::Min, &[y, inverse]), zero) { u.neg(arc) } else { arc }
}

/// Mesa 25.0: the same files.
fn mesa25(u: &Unit, function: LibraryFn, a: &[u64]) -> u64 {
    let one = u.n(1.0);
    let a_minus_bc = |a: u64, b: u64, c: u64| u.ffma(u.neg(b), c, a);
    let arc = |x: u64, p0: f64, p1: f64| {
        let (size, right) = (u.abs(x), u.n(PI / 2.0));
        let tail = u.ffma(size, u.n(p1), u.n(p0));
        let tail = u.ffma(size, tail, u.n(f64::from(std::f32::consts::FRAC_PI_4 - 1.0)));
        let tail = u.ffma(size, tail, right);
        u.sign_times(x, a_minus_bc(right, u.sqrt(u.sub(one, size)), tail))
    };
    match function {
        Asin => {
            let x = a[0];
            let x2 = u.mul(x, x);
            let p = u.ffma(x2, u.n(-8.6563630030e-03), u.n(-4.2743422091e-02));
            let p = u.mul(x2, u.ffma(x2, p, u.n(1.6666586697e-01)));
            let q = u.ffma(x2, u.n(-7.0662963390e-01), one);
            let small = u.ffma(x, u.div(p, q), x);
            if u.lt(u.abs(x), u.n(0.5)) { small } else { arc(x, 0.086566724, -0.03102955) }
        }
        Acos => u.sub(u.n(PI / 2.0), arc(a[0], 0.08132463, -0.02363318)),
        Atan => atan25(u, a[0]),
        Atan2 => mesa_atan2(u, a[0], a[1], &atan25),
        Tanh => {
            let x = u.clamp(a[0], -10.0, 10.0);
            let (up, down) = (u.exp(x), u.exp(u.neg(x)));
            let ratio = u.div(u.sub(up, down), u.add(up, down));
            if u.lt(u.n(0.0), u.abs(a[0])) { ratio } else { u.mul(a[0], one) }
        }
        Asinh => u.sign_times(a[0], u.log(u.add(u.abs(a[0]), u.sqrt(u.ffma(a[0], a[0], one))))),
        Acosh => u.log(u.add(a[0], u.sqrt(u.ffma(a[0], a[0], u.n(-1.0))))),
        SmoothStep => {
            let sat = Slot { saturate: Saturate::Unsigned, ..u.slot };
            let t = u.under(Op::Div, &sat, &[u.sub(a[2], a[0]), u.sub(a[1], a[0])]);
            u.mul(t, u.mul(t, a_minus_bc(u.n(3.0), u.n(2.0), t)))
        }
        Normalize if u.slot.contract == Contract::Never => u.div(a[0], u.sqrt(a[1])),
        Normalize => u.mul(a[0], u.op(Op::Rsq, &[a[1]])),
        Reflect => a_minus_bc(a[0], a[1], u.mul(a[2], u.n(2.0))),
        Refract => {
            let (i, n, eta, dot) = (a[0], a[1], a[2], a[3]);
            let k = a_minus_bc(one, eta, u.mul(eta, a_minus_bc(one, dot, dot)));
            let result = a_minus_bc(u.mul(eta, i), u.ffma(eta, dot, u.sqrt(k)), n);
            if u.lt(k, u.n(0.0)) { u.n(0.0) } else { result }
        }
        Cross => u.ffma(a[0], a[1], u.neg(u.mul(a[2], a[3]))),
    }
}

fn atan25(u: &Unit, x: u64) -> u64 {
    let is_small = u.le(u.abs(x), u.n(1.0));
    let v = if is_small { x } else { u.op(Op::Rcp, &[x]) };
    let v2 = u.mul(v, v);
    let mut sum = u.n(-0.0121323213173444);
    for number in [0.0536813784310406, -0.1173503194786851, 0.193892497711561, -0.3326756418091246, 0.9999793128310355]
    {
        sum = u.ffma(sum, v2, u.n(number));
    }
    let bias = u.n(if is_small { 0.0 } else { -PI / 2.0 });
    u.with_sign(u.ffma(u.abs(v), sum, bias), x)
}

/// Abramowitz and Stegun, 4.4.49.
fn atan_to_one(u: &Unit, x: u64) -> u64 {
    let x2 = u.mul(x, x);
    let mut sum = u.n(0.0028662257);
    for a in [-0.0161657367, 0.0429096138, -0.0752896400, 0.1065626393, -0.1420889944, 0.1999355085, -0.3333314528] {
        sum = u.add(u.n(a), u.mul(x2, sum));
    }
    u.add(x, u.mul(x, u.mul(x2, sum)))
}

/// Vulkan 1.3, "Precision of GLSL.std.450 Instructions".
fn vulkan(u: &Unit, function: LibraryFn, a: &[u64]) -> u64 {
    let (zero, one, right) = (u.n(0.0), u.n(1.0), u.n(PI / 2.0));
    match function {
        Asin => vulkan(u, Atan2, &[a[0], u.sqrt(u.sub(one, u.mul(a[0], a[0])))]),
        Acos => vulkan(u, Atan2, &[u.sqrt(u.sub(one, u.mul(a[0], a[0]))), a[0]]),
        Atan => {
            let size = u.abs(a[0]);
            let angle = match u.lt(size, one) {
                true => atan_to_one(u, size),
                false => u.sub(right, atan_to_one(u, u.div(one, size))),
            };
            u.with_sign(angle, a[0])
        }
        Atan2 => {
            let (y, x) = (u.abs(a[0]), u.abs(a[1]));
            let steep = u.lt(x, y);
            let (small, large) = if steep { (x, y) } else { (y, x) };
            let mut tangent = u.div(small, large);
            if u.eq(small, large) {
                tangent = one;
            }
            if u.eq(large, zero) {
                tangent = zero;
            }
            let mut angle = atan_to_one(u, tangent);
            if steep {
                angle = u.sub(right, angle);
            }
            if u.lt(a[1], zero) {
                angle = u.sub(u.n(PI), angle);
            }
            u.with_sign(angle, a[0])
        }
        Tanh => {
            let (up, down) = (u.exp(a[0]), u.exp(u.neg(a[0])));
            u.div(u.mul(u.sub(up, down), u.n(0.5)), u.mul(u.add(up, down), u.n(0.5)))
        }
        Asinh => u.log(u.add(a[0], u.sqrt(u.add(u.mul(a[0], a[0]), one)))),
        Acosh => u.log(u.add(a[0], u.sqrt(u.sub(u.mul(a[0], a[0]), one)))),
        SmoothStep => {
            let t = u.clamp(u.div(u.sub(a[2], a[0]), u.sub(a[1], a[0])), 0.0, 1.0);
            u.mul(u.mul(t, t), u.sub(u.n(3.0), u.mul(u.n(2.0), t)))
        }
        Normalize => u.mul(a[0], u.op(Op::Rsq, &[a[1]])),
        Reflect => u.sub(a[0], u.mul(u.mul(u.n(2.0), a[2]), a[1])),
        Refract => {
            let (i, n, eta, dot) = (a[0], a[1], a[2], a[3]);
            let k = u.sub(one, u.mul(u.mul(eta, eta), u.sub(one, u.mul(dot, dot))));
            let result = u.sub(u.mul(eta, i), u.mul(u.add(u.mul(eta, dot), u.sqrt(k)), n));
            if u.lt(k, zero) { zero } else { result }
        }
        Cross => u.sub(u.mul(a[0], a[1]), u.mul(a[2], a[3])),
    }
}

/// SwiftShader: ShaderCore.cpp.
fn swiftshader(u: &Unit, function: LibraryFn, a: &[u64]) -> u64 {
    let (zero, one, right) = (u.n(0.0), u.n(1.0), u.n(PI / 2.0));
    let arc = |numbers: &[f64]| {
        let size = u.abs(a[0]);
        let mut sum = u.n(numbers[numbers.len() - 1]);
        for number in numbers[..numbers.len() - 1].iter().rev() {
            sum = u.add(u.n(*number), u.mul(size, sum));
        }
        let angle = u.sub(right, u.mul(u.sqrt(u.sub(one, size)), sum));
        if u.has_sign(a[0]) { u.neg(angle) } else { angle }
    };
    match function {
        Asin => arc(&[
            1.5707963050,
            -0.2145988016,
            0.0889789874,
            -0.0501743046,
            0.0308918810,
            -0.0170881256,
            0.006700901,
            -0.0012624911,
        ]),
        Acos => u.sub(right, arc(&[1.5707288, -0.2121144, 0.0742610, -0.0187293])),
        Atan2 => {
            let (y, x) = (a[0], a[1]);
            let below = u.lt(y, zero);
            let theta = u.n(if below { -PI } else { 0.0 });
            let x0 = if u.has_sign(y) { u.neg(x) } else { x };
            let y0 = u.abs(y);
            let left = u.lt(x0, zero);
            let theta = u.add(theta, if left { right } else { zero });
            let (x1, y1) = if left { (y0, u.neg(x0)) } else { (x0, y0) };
            let steep = !u.lt(y1, x1);
            let (x2, y2) = if steep { (y1, x1) } else { (x1, y1) };
            let angle = atan_to_one(u, u.div(y2, x2));
            let is_infinite = u.eq(u.abs(y2), u.n(f64::INFINITY));
            let added = match (is_infinite, u.eq(x2, zero), steep) {
                (true, _, _) => u.n(PI / 4.0),
                (false, true, _) => zero,
                (false, false, true) => u.sub(right, angle),
                (false, false, false) => angle,
            };
            if below && left && steep && !is_infinite { u.neg(angle) } else { u.add(theta, added) }
        }
        Tanh => {
            let (up, down) = (u.exp(a[0]), u.exp(u.neg(a[0])));
            u.div(u.sub(up, down), u.add(up, down))
        }
        Acosh => u.log(u.add(a[0], u.mul(u.sqrt(u.add(a[0], one)), u.sqrt(u.sub(a[0], one))))),
        _ => vulkan(u, function, a),
    }
}

fn formula(library: Library, u: &Unit, function: LibraryFn, a: &[u64]) -> u64 {
    match library {
        Library::Mesa22 => mesa22(u, function, a),
        Library::Mesa => mesa25(u, function, a),
        Library::Vulkan => vulkan(u, function, a),
        Library::Swiftshader => swiftshader(u, function, a),
    }
}

/// Operands: special ones, then numbers around those that the functions are for, then any.
fn operands() -> Vec<[u32; 4]> {
    const SPECIAL: [u32; 12] = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x0000_0001,
        0x8040_0000,
        0x3f00_0000,
        0x7f7f_ffff,
        0x5e00_0000,
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    let mut lane = |n: usize| -> [u32; 4] {
        std::array::from_fn(|_| match n {
            0..16 => SPECIAL[next() as usize % SPECIAL.len()],
            16..52 => {
                let part = f64::from(next()) / f64::from(u32::MAX) * 2.0 - 1.0;
                ((part * [1.0, 1.0, 2.0, 30.0][n % 4]) as f32).to_bits()
            }
            _ => next(),
        })
    };
    (0..LANES).map(&mut lane).collect()
}

#[test]
fn functions_are_what_their_library_says() {
    let operands = operands();
    let mut compared = 0;
    for slot in ["fp32", "fp32.precise"] {
        for (function, name, count) in FUNCTIONS {
            let mut text = format!(
                "shader \"t\" stage(fragment) from(\"test\") {{\n  attr 0 \"IN[0]\" generic(0) perspective center\n  output 0 \
                 \"OUT[0]\" color(0) i32 - - -\n  slot p0 = {slot}\n  slot p1 = fp32\n"
            );
            let names: Vec<String> = (0..count).map(|n| format!("%{n}")).collect();
            for n in 0..count {
                text += &format!("  %{n}: p1 = attr in0.{}\n", ["x", "y", "z", "w"][n]);
            }
            text += &format!(
                "  %{count}: p0 = library.{name} {}\n  %{}: i32 = bits.of %{count} under p1\n  out o0.x, %{}\n  yield\n}}\n",
                names.join(", "),
                count + 1,
                count + 1
            );
            let shader = read(&text).unwrap_or_else(|diags| panic!("{text}{diags:?}"));
            for base in
                ["ieee", "llvmpipe", "lavapipe", "adreno", "amd-gcn", "vc4", "ati-r300", "maxwell", "intel-gen9"]
            {
                for library in Library::ALL {
                    let name = format!("{base}[library={}]", library.name());
                    let model = Model::parse(&name).unwrap_or_else(|e| panic!("{name}: {e}"));
                    let plain = Slot::plain(Decl::F32);
                    let u = Unit { slot: Slot::parse(slot).expect("a slot"), model };
                    let inputs: Vec<String> = (0..count)
                        .map(|n| {
                            let words: Vec<String> = operands.iter().map(|lane| format!("{:#x}", lane[n])).collect();
                            format!("in0.{}=[{}]", ["x", "y", "z", "w"][n], words.join(","))
                        })
                        .collect();
                    let line = run::line(&shader, &name, &format!("; run: {}", inputs.join(" ")));
                    let line = line.unwrap_or_else(|e| panic!("{function:?} under {name}: {e}"));
                    let (_, found) = line.split_once("o0.x=").unwrap_or_else(|| panic!("{line}"));
                    let found = found.trim_start_matches('[').split(']').next().expect("a list");
                    let found: Vec<u64> =
                        found.split(',').map(|word| parse_u64(word.trim()).expect("a word")).collect();
                    for (lane, words) in operands.iter().enumerate() {
                        let args: Vec<u64> = words[..count]
                            .iter()
                            .map(|&word| {
                                // Read as it is, unless the format has not all of binary32's values.
                                if u.model.value_format(Decl::F32) == Format::F32 {
                                    return word.into();
                                }
                                let rule = u.model.rule(Op::Cvt, &plain, Storage::F32).0;
                                eval(Op::Cvt, &rule, &[u64::from(word)])
                            })
                            .collect();
                        let wanted = u.under(Op::BitsOf, &plain, &[formula(*library, &u, function, &args)]);
                        let got = found[lane % found.len()];
                        assert_eq!(got, wanted, "{function:?} under {name}, {slot}: {words:x?}: {got:x} {wanted:x}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert_eq!(compared, 2 * FUNCTIONS.len() * 9 * Library::ALL.len() * LANES);
}

/// The functions themselves, for arguments in the range that Vulkan bounds them in.
#[test]
fn formulas_approximate_their_functions() {
    let model = |library: Library| Model::parse(&format!("binary64[library={}]", library.name())).expect("a model");
    for library in Library::ALL {
        let u = Unit { model: model(*library), slot: Slot::plain(Decl::F32) };
        for n in -100..=100 {
            let x = f64::from(n) / 100.0;
            let near = |function: LibraryFn, args: &[f64], exact: f64, error: f64| {
                let args: Vec<u64> = args.iter().map(|arg| arg.to_bits()).collect();
                let found = f64::from_bits(formula(*library, &u, function, &args));
                assert!(
                    (found - exact).abs() <= error,
                    "{function:?} of {args:x?} by {library:?}: {found}, not {exact}"
                );
            };
            near(Asin, &[x], x.asin(), 1e-3);
            near(Acos, &[x], x.acos(), 1e-3);
            near(Atan, &[x * 20.0], (x * 20.0).atan(), 1e-4);
            near(Atan2, &[x, 0.3], x.atan2(0.3), 1e-4);
            near(Atan2, &[0.3, x], 0.3f64.atan2(x), 1e-4);
            near(Atan2, &[-0.2, x], (-0.2f64).atan2(x), 1e-4);
            near(Tanh, &[x * 5.0], (x * 5.0).tanh(), 1e-7);
            near(Asinh, &[x * 5.0], (x * 5.0).asinh(), 1e-7);
            near(Acosh, &[x + 2.5], (x + 2.5).acosh(), 1e-7);
            let t = ((x + 0.5) / 1.2).clamp(0.0, 1.0);
            near(SmoothStep, &[-0.5, 0.7, x], t * t * (3.0 - 2.0 * t), 1e-12);
            near(Normalize, &[x, 2.0], x / 2f64.sqrt(), 1e-12);
            near(Reflect, &[x, 0.5, 0.7], x - 0.7, 1e-12);
            near(Cross, &[x, 2.0, 0.5, x], 1.5 * x, 1e-12);
            let (eta, dot) = (0.75, x);
            let k: f64 = 1.0 - eta * eta * (1.0 - dot * dot);
            near(Refract, &[0.25, 0.5, eta, dot], eta * 0.25 - (eta * dot + k.sqrt()) * 0.5, 1e-12);
        }
    }
}
