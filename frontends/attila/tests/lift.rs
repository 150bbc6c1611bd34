//! Lifted programs on one quad, under the simulator's arithmetic.

use parallax_attila::{assemble, lift};
use parallax_core::exec::{FUEL, Inputs, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::{SysVal, Type, verify};
use parallax_interp::Bytecode;
use parallax_lift::Options;
use std::collections::BTreeMap;

/// Values of registers: the same in all lanes, or one per lane.
struct Run {
    settings: Vec<(&'static str, &'static str)>,
    state: Vec<(&'static str, [[u32; 4]; 4])>,
    constants: Vec<[u32; 4]>,
    /// Covered samples, a bit each.
    samples: u32,
}

struct Result {
    planes: BTreeMap<String, [[u64; 4]; 4]>,
    killed: [bool; 4],
}

fn f(v: f32) -> u32 {
    v.to_bits()
}

fn floats(v: [f32; 4]) -> [u32; 4] {
    v.map(f32::to_bits)
}

impl Run {
    fn new() -> Run {
        Run { settings: Vec::new(), state: Vec::new(), constants: Vec::new(), samples: 1 }
    }

    fn with(mut self, name: &'static str, words: [u32; 4]) -> Run {
        self.state.push((name, [words; 4]));
        self
    }

    fn lanes(mut self, name: &'static str, words: [[u32; 4]; 4]) -> Run {
        self.state.push((name, words));
        self
    }

    fn set(mut self, name: &'static str, value: &'static str) -> Run {
        self.settings.push((name, value));
        self
    }

    fn run(&self, text: &str, watch: &[&str]) -> Result {
        let (program, diags) = assemble(text);
        self.run_program(&program.unwrap_or_else(|| panic!("{diags:?}")), watch)
    }

    fn run_program(&self, program: &parallax_attila::Program, watch: &[&str]) -> Result {
        let options = Options {
            watch: watch.iter().map(|s| s.to_string()).collect(),
            preset: self.state.iter().map(|s| s.0.to_string()).collect(),
            settings: self.settings.iter().map(|s| (s.0.to_string(), s.1.to_string())).collect(),
            ..Options::default()
        };
        let shader = lift(program, &options).unwrap_or_else(|d| panic!("{d:?}"));
        verify(&shader).unwrap_or_else(|d| panic!("{d:?}"));
        let bound = shader.bind(&Model::builtin("attila").unwrap());
        let verified = verify(&bound).unwrap_or_else(|d| panic!("{d:?}"));
        let iface = &bound.func.iface;
        let mut attrs = vec![0u32; iface.attrs.len() * 16];
        for (n, attr) in iface.attrs.iter().enumerate() {
            let Some((_, words)) = self.state.iter().find(|s| s.0 == attr.name) else { continue };
            for lane in 0..4 {
                for comp in 0..4 {
                    attrs[(n * 4 + comp) * 4 + lane] = words[lane][comp];
                }
            }
        }
        let mut sysvals = vec![0; (SysVal::QuadLane as usize + 1) * 4];
        for lane in 0..4 {
            sysvals[SysVal::SampleMask as usize * 4 + lane] = self.samples;
        }
        let mut out = Outputs::default();
        let program = Bytecode::new(verified);
        program.run(
            &Inputs {
                lanes: 4,
                attrs: &attrs,
                banks: &[&self.constants],
                sysvals: &sysvals,
                covered: &[true; 4],
                textures: &NoTextures,
                interpolator: &NoInterpolator,
                fuel: FUEL,
            },
            &mut out,
        );
        let mut planes = BTreeMap::new();
        for (n, decl) in iface.outputs.iter().enumerate() {
            let plane = |comp: usize, lane: usize| out.planes[n * 4 + comp].get(lane);
            planes.insert(decl.name.clone(), [0, 1, 2, 3].map(|lane| [0, 1, 2, 3].map(|comp| plane(comp, lane))));
        }
        Result { planes, killed: [0, 1, 2, 3].map(|lane| !out.covered[lane]) }
    }

    /// Components of one register in lane 0.
    fn one(&self, text: &str, name: &str) -> [u32; 4] {
        self.run(text, &[name]).planes[name][0].map(|w| w as u32)
    }
}

impl Result {
    fn lane(&self, name: &str, lane: usize) -> [u32; 4] {
        self.planes[name][lane].map(|w| w as u32)
    }
}

#[test]
fn modifiers_masks_and_swizzles() {
    let run = Run::new().with("r1", floats([1.0, -2.0, 3.0, -0.0])).with("r0", [1, 2, 3, 4]);
    assert_eq!(run.one("mov r0.xz, -|r1.wzyx|", "r0"), [0x8000_0000, 2, f(-2.0), 4]);
    assert_eq!(run.one("mov_sat r0, r1", "r0"), floats([1.0, 0.0, 1.0, -0.0]));
    // Bits move as they are, NaN payloads too.
    let run = Run::new().with("i0", [0x7f80_0001, 0xffff_ffff, 1, 0x8000_0000]);
    assert_eq!(run.one("mov r0, i0", "r0"), [0x7f80_0001, 0xffff_ffff, 1, 0x8000_0000]);
    assert_eq!(run.one("mov r0, -i0.wyzw", "r0"), [0, 0x7fff_ffff, 0x8000_0001, 0]);
    // NaN saturates to 1.
    assert_eq!(run.one("mov_sat r0, i0.xxyy", "r0"), [0x3f80_0000; 4]);
    // An unswizzled scalar source reads w.
    let run = Run::new().with("i0", floats([1.0, 2.0, 4.0, 8.0]));
    assert_eq!(run.one("rcp r0, i0", "r0"), floats([0.125; 4]));
    assert_eq!(run.one("rcp r0.yw, i0.y", "r0"), floats([0.0, 0.5, 0.0, 0.5]));
    // The source may be the destination.
    assert_eq!(Run::new().with("r0", [1, 2, 3, 4]).one("mov r0, r0.wzyx", "r0"), [4, 3, 2, 1]);
}

#[test]
fn products_round_before_sums() {
    let e = 1.0 + f32::EPSILON;
    let run = Run::new()
        .with("i0", floats([e, 1.0, 2.0, 3.0]))
        .with("i1", floats([e, 10.0, 100.0, 1000.0]))
        .with("i2", floats([-1.0, 0.0, 0.0, 0.0]));
    assert_eq!(run.one("mad r0, i0, i1, i2", "r0")[0], f(e * e - 1.0));
    assert_eq!(run.one("dp3 r0, i0, i1", "r0"), [f(e * e + 10.0 + 200.0); 4]);
    assert_eq!(run.one("dp4 r0, i0, i1", "r0"), [f(e * e + 10.0 + 200.0 + 3000.0); 4]);
    assert_eq!(run.one("dph r0, i0, i1", "r0"), [f(e * e + 10.0 + 200.0 + 1000.0); 4]);
    assert_eq!(run.one("dst r0, i0, i1", "r0"), floats([1.0, 10.0, 2.0, 1000.0]));
    assert_eq!(run.one("add r0, i0, -2.5", "r0"), floats([e - 2.5, -1.5, -0.5, 0.5]));
}

#[test]
fn comparisons_see_nan_and_zeros_as_the_simulator_does() {
    let nan = f32::NAN;
    let run = Run::new().with("i0", floats([nan, -0.0, 1.0, 2.0])).with("i1", floats([5.0, 0.0, nan, 1.0]));
    assert_eq!(run.one("max r0, i0, i1", "r0"), [f(5.0), f(0.0), f(nan), f(2.0)]);
    assert_eq!(run.one("min r0, i0, i1", "r0"), [f(5.0), f(0.0), f(nan), f(1.0)]);
    assert_eq!(run.one("slt r0, i0, i1", "r0"), floats([0.0, 0.0, 0.0, 0.0]));
    assert_eq!(run.one("sge r0, i0, i1", "r0"), floats([1.0, 1.0, 1.0, 1.0]));
    let run = Run::new().with("i0", floats([-1.0, -0.0, nan, 1.0])).with("i1", [11; 4]).with("i2", [22; 4]);
    assert_eq!(run.one("cmp r0, i0, i1, i2", "r0"), [11, 22, 22, 22]);
}

#[test]
fn parts_of_exponentials_and_logarithms() {
    let with = |x: f32| Run::new().with("i0", floats([x, 0.0, 0.0, 0.0]));
    assert_eq!(with(-2.5).one("exp r0, i0.x", "r0"), floats([0.125, 0.5, 0.17677669, 1.0]));
    assert_eq!(with(12.0).one("log r0, i0.x", "r0")[..2], floats([3.0, 1.5, 0.0, 0.0])[..2]);
    let negative = with(-12.0).one("log r0, i0.x", "r0");
    assert_eq!(negative[0], f(3.0));
    assert!(f32::from_bits(negative[1]).is_nan() && f32::from_bits(negative[2]).is_nan());
    // Just below a power of two the rounded logarithm is already the next integer; the parts are not.
    let below = f32::from_bits(f(16_777_216.0) - 1);
    let parts = with(below).one("log r0, i0.x", "r0");
    assert_eq!((parts[0], parts[1], parts[2]), (f(23.0), f(below / 8_388_608.0), f(24.0)));
    let zero = with(0.0).one("log r0, i0.x", "r0");
    assert_eq!((zero[0], f32::from_bits(zero[1]).is_nan(), zero[3]), (f(f32::NEG_INFINITY), true, f(1.0)));
    let lit = |v: [f32; 4]| Run::new().with("i0", floats(v)).one("lit r0, i0", "r0");
    assert_eq!(lit([0.5, 3.0, 9.0, 2.0]), floats([1.0, 0.5, 9.0, 1.0]));
    assert_eq!(lit([-0.5, 3.0, 9.0, 2.0]), floats([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(lit([0.5, 0.0, 0.0, 0.0]), floats([1.0, 0.5, 1.0, 1.0]));
    assert_eq!(with(-0.0).one("rsq r0.x, i0.x", "r0")[0], 0xffc0_0000);
    assert_eq!(with(-16.0).one("rsq r0.x, i0.x", "r0")[0], f(0.25));
    assert_eq!(with(-1e-9).one("frc r0.x, i0", "r0")[0], f(1.0));
}

#[test]
fn integers_wrap_and_absolute_values_are_exact_unless_the_simulator_is_asked_for() {
    let run = || Run::new().with("r1", [0x0100_0001, 0x8000_0000, 5, 0xffff_fffb]);
    assert_eq!(run().one("addi r0, |r1|, 1", "r0"), [0x0100_0002, 0x8000_0001, 6, 6]);
    assert_eq!(run().set("quirks", "sim").one("addi r0, |r1|, 1", "r0")[0], 0x0100_0001);
    assert_eq!(run().one("muli r0, -r1, 3", "r0"), [0xfcff_fffd, 0x8000_0000, 0xffff_fff1, 15]);
}

#[test]
fn predicates_guard_writes() {
    let run = Run::new()
        .with("p1", [1, 0, 0, 0])
        .with("i0", floats([1.0, 2.0, 3.0, 4.0]))
        .with("r0", floats([9.0; 4]))
        .with("r1", [5, 6, 7, 0xffff_ffff]);
    assert_eq!(run.one("(!p1) mov r0, i0", "r0"), floats([9.0; 4]));
    assert_eq!(run.one("(p1) mov r0.yz, i0", "r0"), floats([9.0, 2.0, 3.0, 9.0]));
    let bit = |text: &str, name: &str| run.one(text, name)[0];
    assert_eq!(bit("setpgt p2, i0.y, i0.x", "p2"), 1);
    assert_eq!(bit("setpgt p2, i0.x, 1.0", "p2"), 0);
    assert_eq!(bit("setpeq p2, i0.x, 1", "p2"), 1);
    assert_eq!(bit("setplt p2, i0, 5", "p2"), 1);
    assert_eq!(bit("stplti p2, r1.w, 5", "p2"), 1);
    assert_eq!(bit("stpgti p2, r1.w, 5", "p2"), 0);
}

#[test]
fn conditions_take_predicates_constants_and_literals() {
    let mut run = Run::new().with("p1", [1, 0, 0, 0]);
    run.constants = vec![[0, 0x8000_0000, 1, 0]];
    let bit = |text: &str| run.one(text, "p3")[0];
    assert_eq!(bit("andp p3, p1, true"), 1);
    assert_eq!(bit("andp p3, p1, !p2"), 1);
    assert_eq!(bit("andp p3, p1, p2"), 0);
    assert_eq!(bit("andp !p3, p1, p2"), 1);
    assert_eq!(bit("andp p3, p1, false"), 0);
    // Any bit counts, that of -0 too.
    assert_eq!(bit("andp p3, c0.y, p1"), 1);
    assert_eq!(bit("andp p3, p1, !c0.x"), 1);
    assert_eq!(bit("andp p3, !c0.z, p1"), 0);
}

#[test]
fn constants_are_addressed_relatively_all_of_them() {
    let mut run = Run::new().lanes("a1", [[2, 0, 0, 0], [0xffff_ffff, 0, 0, 0], [300, 0, 0, 0], [600, 0, 0, 0]]);
    run.constants = (0..512u32).map(|n| floats([n as f32, 0.5, 0.25, 0.0])).collect();
    let result = run.run("mov r0, c3[a1.x - 1]\nadd r1, c10[a1.x], c20.y\nmov r2, c400[a1.x]", &["r0", "r1", "r2"]);
    assert_eq!(result.lane("r0", 0)[0], f(4.0));
    assert_eq!(result.lane("r0", 1)[0], f(1.0));
    // The unbracketed constant is relative as well.
    assert_eq!(result.lane("r1", 0)[0], f(12.5));
    // Beyond the bank: zero.
    assert_eq!(result.lane("r2", 3)[0], 0);
    assert_eq!(result.lane("r2", 2)[0], 0);
    assert_eq!(result.lane("r0", 2)[0], f(302.0));
}

#[test]
fn address_registers_hold_integers() {
    let run = || Run::new().with("i0", floats([1.5, -1.5, 3e9, f32::NAN])).with("a0", [7, 8, 9, 10]);
    assert_eq!(run().one("arl a0, i0", "a0"), [1, 0xffff_fffe, 0x8000_0000, 0x8000_0000]);
    assert_eq!(run().one("arl a0.y, i0", "a0"), [1, 0xffff_fffe, 0x8000_0000, 0x8000_0000]);
    assert_eq!(run().set("arl_mask", "honour").one("arl a0.y, i0", "a0"), [7, 0xffff_fffe, 9, 10]);
    // Moves carry raw bits both ways; integer operations work on any register.
    assert_eq!(run().one("mov a1, a0.wzyx\naddi a1.x, a1, 5", "a1"), [15, 9, 8, 7]);
}

#[test]
fn jumps_look_at_the_whole_quad() {
    let text = "\
        setpgt p0, i0.x, 0.0
        jmp p0, over
        mov r0, 1.0
over:   mov r1, i0";
    let text = text.replace("mov r0, 1.0", "add r0, r0, 1.0");
    let quad = |lanes: [f32; 4]| {
        let run = Run::new().lanes("i0", lanes.map(|v| floats([v, 0.0, 0.0, 0.0])));
        run.run(&text, &["r0"]).planes["r0"].map(|lane| f32::from_bits(lane[0] as u32))
    };
    assert_eq!(quad([1.0, 1.0, 1.0, 1.0]), [0.0; 4]);
    // One lane is against it: nobody jumps.
    assert_eq!(quad([1.0, 1.0, -1.0, 1.0]), [1.0; 4]);
    // A vertex program has one vertex to ask.
    let run = Run::new()
        .set("stage", "vertex")
        .lanes("i0", [[f(1.0), 0, 0, 0], [f(-1.0), 0, 0, 0], [f(1.0), 0, 0, 0], [0, 0, 0, 0]]);
    let lanes = run.run(&text, &["r0"]).planes["r0"].map(|lane| f32::from_bits(lane[0] as u32));
    assert_eq!(lanes, [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn loops_and_crossing_jumps() {
    // Sum of 1 to 10.
    let sum = "\
        add r0.x, r0.x, 10
loop:   add r1.x, r1.x, r0.x
        add r0.x, r0.x, -1
        setpgt p0, r0.x, 0.0
        jmp p0, loop
        mov o0, r1.x";
    assert_eq!(Run::new().run(sum, &["o0"]).lane("o0", 0)[0], f(55.0));
    // Two entries into one cycle.
    let crossing = "\
        setpgt p0, i0.x, 0.0
        jmp p0, second
first:  add r0.x, r0.x, 1
second: add r0.y, r0.y, 1
        add r1.x, r1.x, 1
        setplt p1, r1.x, 3.0
        jmp p1, first
        mov o0, r0";
    let run = |x: f32| Run::new().with("i0", floats([x, 0.0, 0.0, 0.0])).run(crossing, &["o0"]).lane("o0", 0);
    assert_eq!(run(1.0)[..2], floats([2.0, 3.0, 0.0, 0.0])[..2]);
    assert_eq!(run(-1.0)[..2], floats([3.0, 3.0, 0.0, 0.0])[..2]);
}

#[test]
fn programs_end_at_the_flag_and_at_end() {
    let run = Run::new().with("i0", [7; 4]);
    assert_eq!(run.one("mov r0, i0 <- end\nmov r1, i0", "r1"), [0; 4]);
    assert_eq!(run.one("mov r0, i0\nend\nmov r1, i0", "r1"), [0; 4]);
    // An end flag counts even where the jump would be taken.
    assert_eq!(run.one("jmp true, 1 <- end\nmov r1, i0", "r1"), [0; 4]);
    assert_eq!(run.one("jmp true, 2\nmov r1, i0\nmov r0, i0", "r1"), [0; 4]);
}

fn from_words(bytes: &[u8]) -> parallax_attila::Program {
    let (program, diags) = parallax_attila::Program::decode(bytes);
    assert!(diags.is_empty(), "{diags:?}");
    program
}

/// The assembler sets the end flag of the last instruction, and an end flag counts even where a jump is taken.
#[test]
fn a_text_that_ends_in_a_jump_is_the_same_program_as_its_binary() {
    for text in [
        "mov r0, i0\nl: add r0, r0, c0\nmov o0, r0\nsetplt p0, r0.x, 10.0\njmp p0, l",
        "mov r0, i0\nl: add r0, r0, c0\nmov o0, r0\njmp true, l",
        "mov r0, i0\nl: add r0, r0, c0\nmov o0, r0\nsetplt p0, r0.x, 10.0\njmp p0, l\nend",
    ] {
        let mut run = Run::new().with("i0", floats([1.0, 0.0, 0.0, 0.0]));
        run.constants = vec![floats([1.0; 4])];
        let (program, _) = assemble(text);
        let program = program.unwrap();
        let words = from_words(&program.encode_ended());
        let want = if text.ends_with("end") { 10.0 } else { 2.0 };
        for program in [program, words] {
            assert_eq!(run.run_program(&program, &[]).lane("o0", 0)[0], f(want), "{text}");
        }
    }
}

#[test]
fn arl_to_an_output_declares_all_components_it_writes() {
    let run = || Run::new().with("i0", floats([1.5, 2.5, 3.5, 4.5]));
    assert_eq!(run().run("arl o0.x, i0", &[]).lane("o0", 0), [1, 2, 3, 4]);
    let declared = |options: &Options| {
        let (program, _) = assemble("arl o0.y, i0");
        lift(&program.unwrap(), options).unwrap().func.iface.outputs[0].types.map(|t| t.is_some())
    };
    assert_eq!(declared(&Options::default()), [true; 4]);
    let honour = Options { settings: [("arl_mask".to_string(), "honour".to_string())].into(), ..Options::default() };
    assert_eq!(declared(&honour), [false, true, false, false]);
}

#[test]
fn what_is_never_reached_declares_nothing() {
    let shader = |text: &str| {
        let (program, diags) = assemble(text);
        lift(&program.unwrap_or_else(|| panic!("{diags:?}")), &Options::default()).unwrap()
    };
    let names = |text: &str| {
        let iface = shader(text).func.iface.clone();
        let attrs: Vec<String> = iface.attrs.iter().map(|a| a.name.clone()).collect();
        let outputs: Vec<String> = iface.outputs.iter().map(|o| o.name.clone()).collect();
        (attrs.join(" "), outputs.join(" "))
    };
    let lists = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(names("mov o1, i0 <- end\nmov o0, i1"), lists("i0", "o1"));
    assert_eq!(names("jmp true, 2\nmov o0, i1\nmov o2, i2"), lists("i2", "o2"));
    assert_eq!(names("mov o1, i0\nend\nzxp i1\nkls i2, s1\nchs"), lists("i0", "o1"));
    assert_eq!(names("jmp p0, 2\nmov o0, i1\nmov o2, i2"), lists("i1 i2", "o0 o2"));
}

/// Deep nests run as a switch over all blocks; blocks that are never reached must not be among them.
#[test]
fn unreached_nonsense_is_left_out_of_deep_nests_too() {
    let depth = 300;
    let mut text = String::new();
    (0..depth).for_each(|n| text.push_str(&format!("l{n}: add r0.x, r0.x, 1\n")));
    for n in (0..depth).rev() {
        text.push_str(&format!("setplt p0, r0.x, {n}.0\njmp p0, l{n}\n"));
    }
    text.push_str("mov o0, r0 <- end\nmov o255, r255\njmp p255, -1000\njmp true, 5\n");
    let want = Run::new().run(text.rsplit_once("mov o255").unwrap().0, &[]).lane("o0", 0)[0];
    assert!(f32::from_bits(want) >= depth as f32);
    assert_eq!(Run::new().run(&text, &[]).lane("o0", 0)[0], want);
}

#[test]
fn kills() {
    let quad =
        [floats([-1.0, 0.0, 0.0, 0.0]), floats([-0.0; 4]), floats([f32::NAN; 4]), floats([0.0, 0.0, 0.0, -1e-40])];
    let run = || Run::new().lanes("i0", quad);
    assert_eq!(run().run("kil i0", &[]).killed, [true, false, false, true]);
    assert_eq!(run().run("kil -|i0|", &[]).killed, [true, false, false, true]);
    assert_eq!(run().run("kil i0.x", &[]).killed, [true, false, false, false]);
    // A guard holds back kills only where it is asked to.
    assert_eq!(run().run("(p5) kil i0.x", &[]).killed, [true, false, false, false]);
    assert_eq!(run().set("predication", "full").run("(p5) kil i0.x", &[]).killed, [false; 4]);
    // CMPKIL looks at written components of the chosen values, before the clamp.
    let result = run().run("cmpkil_sat r0.x, i0, i0, i0", &["r0"]);
    assert_eq!((result.killed, result.lane("r0", 0)[0]), ([true, false, false, false], 0));
    assert_eq!(run().run("cmpkil r0.y, i0, i0, i0", &[]).killed, [false; 4]);
    // Who watches sees which pixels are killed, also where there are no samples to tell apart.
    let result = run().run("kil i0", &["kill"]);
    assert_eq!([0, 1, 2, 3].map(|lane| result.lane("kill", lane)[0]), [1, 0, 0, 1]);
    assert_eq!(result.killed, [true, false, false, true]);
    // Samples: the pixel goes when all its samples are gone.
    assert_eq!(run().run("kls i0.x, s3", &[]).killed, [false; 4]);
    assert_eq!(run().run("kls i0.x, s0", &[]).killed, [true, false, false, false]);
    let mut two = run();
    two.samples = 3;
    let result = two.run("kls i0.x, s0", &["kill"]);
    assert_eq!((result.killed, result.lane("kill", 0)[0]), ([false; 4], 1));
    let result = two.run("kil i0.x\nchs\nkil i0.x", &["kill"]);
    assert_eq!((result.killed, result.lane("kill", 0)[0]), ([true, false, false, false], 3));
    assert_eq!((result.lane("samples", 0)[0], result.lane("samples", 1)[0]), (0, 3));
}

/// Sample 0 is one of several: killing it leaves the pixel, whether or not the program says anything about samples.
#[test]
fn kil_takes_the_current_sample_and_no_other() {
    let run = |samples: u32, text: &str| {
        let mut run = Run::new().with("i0", floats([-1.0, 0.0, 0.0, 0.0]));
        run.samples = samples;
        let result = run.run(text, &["kill"]);
        (result.killed[0], result.lane("kill", 0)[0])
    };
    for text in ["kil i0.x", "cmpkil r0.x, i0, i0, i0"] {
        assert_eq!(run(1, text), (true, 1), "{text}");
        assert_eq!(run(0xf, text), (false, 1), "{text}");
        assert_eq!(run(2, text), (false, 1), "{text}");
    }
    // A KLS that kills nothing changes nothing.
    assert_eq!(run(1, "kil i0.x\nkls i0.y, s2"), (true, 1));
    assert_eq!(run(0xf, "kil i0.x\nkls i0.y, s2"), (false, 1));
}

#[test]
fn a_pixel_goes_with_the_last_of_its_covered_samples() {
    let run = |samples: u32, text: &str| {
        let mut run = Run::new().with("i0", floats([-1.0, 0.0, 0.0, 0.0]));
        run.samples = samples;
        let result = run.run(text, &[]);
        (result.killed[0], result.lane("samples", 0)[0])
    };
    assert_eq!(run(1, "kls i0.x, s0"), (true, 0));
    assert_eq!(run(0b1010, "kls i0.x, s0"), (false, 0b1010));
    assert_eq!(run(0b1010, "kls i0.x, s1"), (false, 0b1000));
    assert_eq!(run(0b1010, "kls i0.x, s1\nkls i0.x, s3"), (true, 0));
    assert_eq!(run(0xffff, "kls i0.x, s15"), (false, 0x7fff));
}

/// A shift by 32 would be one by 0.
#[test]
fn chs_past_the_last_sample_does_not_come_back_to_the_first() {
    let text = |changes: usize| format!("{}kil i0.x\nzxp i0.y\nzxs i0.x", "chs\n".repeat(changes));
    for (changes, killed) in [(0, 1), (15, 1 << 15), (16, 0), (31, 0), (32, 0), (33, 0)] {
        let mut run = Run::new().with("i0", floats([-1.0, 0.5, 0.0, 0.0]));
        run.samples = 0xffff;
        let result = run.run(&text(changes), &["kill", "z0"]);
        assert_eq!(result.lane("kill", 0)[0], killed, "{changes}");
        let first = if changes == 0 { f(-1.0) } else { f(0.5) };
        assert_eq!(result.lane("z0", 0)[0], first, "{changes}");
    }
}

#[test]
fn depths() {
    let run = || Run::new().with("i0", floats([0.1, 0.2, 0.3, 0.4]));
    let result = run().run("zxp i0.w", &["z0", "z1"]);
    assert_eq!((result.lane("z0", 0)[0], result.lane("z1", 0)[0], result.lane("depth", 0)[2]), (f(0.4), 0, f(0.4)));
    let result = run().run("zxs i0", &["z0", "z3"]);
    assert_eq!((result.lane("z0", 0)[0], result.lane("z3", 0)[0]), (f(0.1), f(0.4)));
    let result = run().run("chs\nzxs i0, s9", &["z0", "z1", "z4"]);
    assert_eq!([0, 1, 4].map(|n| result.lane(&format!("z{n}"), 0)[0]), [0, f(0.1), f(0.4)]);
    let result = run().set("quirks", "sim").run("chs\nzxs i0", &["z0", "z1"]);
    assert_eq!((result.lane("z0", 0)[0], result.lane("z1", 0)[0]), (f(0.1), f(0.2)));
    assert_eq!(run().run("(p0) zxp i0", &["z0"]).lane("z0", 0)[0], f(0.1));
    assert_eq!(run().set("predication", "full").run("(p0) zxp i0", &["z0"]).lane("z0", 0)[0], 0);
    let result = run().set("predication", "full").run("(p0) chs\n(!p0) zxp i0.y", &["z0"]);
    assert_eq!(result.lane("z0", 0)[0], f(0.2));
}

#[test]
fn derivatives_are_those_of_the_own_row_and_column() {
    let run = Run::new().lanes("i0", [1.0, 4.0, 16.0, 64.0].map(|v| floats([v; 4])));
    let result = run.run("ddx r0, i0\nddy_sat r1, -i0\nddy r2, -i0", &["r0", "r1", "r2"]);
    let x = |name: &str| [0, 1, 2, 3].map(|lane| f32::from_bits(result.lane(name, lane)[0]));
    assert_eq!(x("r0"), [3.0, 3.0, 48.0, 48.0]);
    assert_eq!(x("r2"), [-15.0, -60.0, -15.0, -60.0]);
    assert_eq!(x("r1"), [0.0; 4]);
}

#[test]
fn the_accumulator_keeps_what_floats_would_lose() {
    let run = |bits: &'static str| {
        Run::new()
            .set("fx_bits", bits)
            .with("i0", floats([1.5, 1.0 / 3.0, -100.25, f32::INFINITY]))
            .with("i1", floats([2.25, 1.0 / 3.0, 0.0, 1.0]))
            .with("i2", floats([-3.375, 1.0, -0.5, 0.0]))
    };
    let text = "fxmul r9, i0, i1\nfxmad r0, i2, i1, r9\nfxmad_sat r1, i2, i1, r9";
    let result = run("8").run(text, &["acc", "acc.sign", "r0", "r1", "r9"]);
    assert_eq!(result.planes["acc"][0], [0x3_6000_0000, 0x1c39_0000, 0, 0xffff_ffff_ffff_0000]);
    assert_eq!(result.lane("acc.sign", 0), [1, 1, u32::MAX, 1]);
    // 3.375 - 3.375 * 2.25, exactly.
    assert_eq!(result.lane("r0", 0)[0], f(3.375 - 3.375 * 2.25));
    // 0x55/0x100 * (0x55 + 0x100)/0x100
    assert_eq!(result.lane("r0", 0)[1], f(0x55 as f32 * 341.0 / 65536.0));
    assert_eq!((result.lane("r1", 0)[0], result.lane("r9", 0)), (0, [0; 4]));
    let result = run("16").run(text, &["acc"]);
    assert_eq!(result.planes["acc"][0][1], 0x1c71_8e39);
    let result = run("8").run("fxmad2 r9.xz, i0, i1, i2", &["acc", "acc.sign"]);
    assert_eq!(result.planes["acc"][0], [0, 0, 0x8000_0000, 0]);
    assert_eq!(result.lane("acc.sign", 0), [1, 0, u32::MAX, 0]);
    // Guarded, masked, and with a literal.
    let result = run("8").run("(p1) fxmul r0, i0, i1\n(!p1) fxmul r0.x, i0, -0.5", &["acc", "acc.sign"]);
    assert_eq!((result.planes["acc"][0], result.lane("acc.sign", 0)), ([0xc000_0000, 0, 0, 0], [u32::MAX, 0, 0, 0]));
    // The caller may set it.
    let preset =
        Run::new().with("acc.int", [2, 0, 0, 0]).with("acc.frac", [0x8000_0000, 0, 0, 0]).with("acc.sign", [1; 4]);
    assert_eq!(preset.one("fxmad r0, r1, r1, r1", "r0")[0], f(2.5));
}

#[test]
fn interfaces() {
    let (program, _) = assemble("mov o3.xy, i5\nadd o1, i2, c300");
    let shader = lift(&program.unwrap(), &Options::default()).unwrap();
    let iface = &shader.func.iface;
    let names: Vec<&str> = iface.attrs.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["i2", "i5"]);
    let outs: Vec<(&str, [bool; 4])> =
        iface.outputs.iter().map(|o| (o.name.as_str(), o.types.map(|t| t == Some(Type::F32)))).collect();
    assert_eq!(outs, [("o1", [true; 4]), ("o3", [true, true, false, false])]);
    assert_eq!(iface.banks[0].len, 301);
    assert_eq!(shader.func.sources.len(), 2);
    let (program, _) = assemble("tex r0, i0, t3\nlda r1, a0, t4");
    let options = Options { settings: [("t3".to_string(), "cube".to_string())].into(), ..Options::default() };
    let shader = lift(&program.unwrap(), &options).unwrap();
    assert_eq!(shader.func.iface.textures.len(), 2);
}

#[test]
fn what_cannot_be_lifted_is_said() {
    let codes = |text: &str, options: Options| {
        let (program, _) = assemble(text);
        lift(&program.unwrap(), &options).unwrap_err().iter().map(|d| d.code).collect::<Vec<_>>()
    };
    let none = Options::default;
    assert_eq!(codes("mov o20, i0", none()), ["register-number"]);
    assert_eq!(codes("mov o0, i0 <- noend", none()), ["missing-end"]);
    let watch = Options { watch: vec!["q0".into(), "r32".into(), "acc.int".into()], ..none() };
    assert_eq!(codes("end", watch), ["option-watch"; 3]);
    let preset = Options { preset: vec!["kill".into(), "p40".into()], ..none() };
    assert_eq!(codes("end", preset), ["option-preset"; 2]);
    let settings = Options { settings: [("quirk".to_string(), "sim".to_string())].into(), ..none() };
    assert_eq!(codes("end", settings), ["option-unknown"]);
}
