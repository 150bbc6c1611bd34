//! Instructions on doubles against the arithmetic of Rust, which is that of IEEE 754, on corner cases and random numbers.

use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::{num::Model, verify};
use parallax_interp::{Bytecode, Scratch};
use parallax_lift::{Layout, Options};
use parallax_random::Random;
use parallax_spa5::{assemble, lift};

const LANES: usize = 1024;

/// Three doubles are in R0 to R5 and an integer is in R6; results are in R8 and R9.
const TEXTS: &[&str] = &[
    "DADD R8, R0, -R2",
    "DMUL R8, R0, R2",
    "DFMA R8, R0, R2, -R4",
    "DMNMX R8, R0, R2, PT",
    "DMNMX R8, R0, |R2|, !PT",
    "DSET.LT.AND R8, R0, R2, PT\nMOV R9, RZ",
    "DSET.GEU.AND R8, R0, R2, PT\nMOV R9, RZ",
    "DSETP.NE.AND P0, P1, R0, R2, PT\nP2R R8, PR, RZ, 0x3\nMOV R9, RZ",
    "F2F.F32.F64 R8, R0\nMOV R9, RZ",
    "I2F.F64.S32 R8, R6",
    "F2I.S32.F64.TRUNC R8, R0\nMOV R9, RZ",
    "F2F.F64.F64.FLOOR R8, R0",
    "DMUL R8, R0, 2.5",
];

/// What the text of this number gives; none where a NaN comes out, whose bits IEEE 754 leaves open.
fn expected(n: usize, [a, b, c]: [f64; 3], word: u32) -> Option<u64> {
    let value = match n {
        0 => a - b,
        1 => a * b,
        2 => a.mul_add(b, -c),
        3 | 4 => {
            let b = if n == 4 { b.abs() } else { b };
            let is_less = a < b || a == b && a.is_sign_negative();
            match (a.is_nan(), b.is_nan()) {
                (true, _) => b,
                (_, true) => a,
                _ if is_less == (n == 3) => a,
                _ => b,
            }
        }
        5 => return Some(if a < b { 0xffff_ffff } else { 0 }),
        6 => return Some(if a < b { 0 } else { 0xffff_ffff }),
        // Different, and both of them numbers.
        7 => return Some(if a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_ne) { 1 } else { 2 }),
        8 if a.is_nan() => return None,
        8 => return Some(u64::from((a as f32).to_bits())),
        9 => f64::from(word as i32),
        // NaN gives the highest bit alone (PTX ISA, cvt).
        10 if a.is_nan() => return Some(1 << 31),
        10 => return Some(u64::from(a as i32 as u32)),
        11 => a.floor(),
        12 => a * 2.5,
        _ => unreachable!("no such text"),
    };
    (!value.is_nan()).then(|| value.to_bits())
}

#[test]
fn doubles_give_what_ieee_754_says() {
    let mut random = Random::new(21);
    let corners =
        [0.0, -0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let mut number = || {
        let bits = random.word();
        match bits % 4 {
            0 => corners[(bits >> 8) as usize % corners.len()],
            // Near each other, so that sums cancel.
            1 => f64::from_bits(0x3ff0_0000_0000_0000 ^ bits & 0x801f_ffff_ffff_ffff),
            2 => f64::from(bits as u32 as i32) / 1024.0,
            _ => f64::from_bits(bits),
        }
    };
    let numbers: Vec<[f64; 3]> = (0..LANES).map(|_| [number(), number(), number()]).collect();
    let words: Vec<u32> = numbers.iter().map(|[a, ..]| (a.to_bits() >> 9) as u32).collect();
    let preset: Vec<String> = (0..7).map(|n| format!("R{n}")).collect();
    let options = Options { preset, watch: vec!["R8".into(), "R9".into()], ..Options::default() };
    for (n, text) in TEXTS.iter().enumerate() {
        let (program, diags) = assemble(&format!("{text}\nEXIT\n"), &Layout::default());
        let program = program.unwrap_or_else(|| panic!("{text}: {diags:?}"));
        let shader = lift(&program, &options).unwrap_or_else(|diags| panic!("{text}: {diags:?}"));
        let bound = shader.bind(&Model::builtin("maxwell").expect("built in"));
        let iface = bound.func.iface.clone();
        let mut attrs = vec![0; iface.attrs.len() * 4 * LANES];
        for (at, attr) in iface.attrs.iter().enumerate() {
            let register: usize = attr.name[1..].parse().expect("a register");
            for lane in 0..LANES {
                let bits = |n: usize| numbers[lane][n / 2].to_bits() >> (32 * (n % 2));
                attrs[at * 4 * LANES + lane] = if register == 6 { words[lane] } else { bits(register) as u32 };
            }
        }
        let inputs = Inputs {
            lanes: LANES,
            attrs: &attrs,
            banks: &[],
            sysvals: &[],
            covered: &[true; LANES],
            textures: &NoTextures,
            interpolator: &NoInterpolator,
            fuel: FUEL,
        };
        let mut outputs = Outputs::default();
        let code = Bytecode::new(verify(&bound).expect("sound IR"));
        code.run_in(&inputs, Memory::NONE, &mut Scratch::default(), &mut outputs);
        let plane = |name: &str| iface.outputs.iter().rposition(|output| output.name == name).expect("watched") * 4;
        let (low, high) = (&outputs.planes[plane("R8")], &outputs.planes[plane("R9")]);
        for lane in 0..LANES {
            let got = low.get(lane) & 0xffff_ffff | high.get(lane) << 32;
            if let Some(want) = expected(n, numbers[lane], words[lane]) {
                assert_eq!(got, want, "{text}: {:?} {:x}: {got:016x} {want:016x}", numbers[lane], words[lane]);
            }
        }
    }
}
