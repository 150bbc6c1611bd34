//! Random modules whose invocations go different ways: what a lifted module computes is what walking its words computes,
//! whichever engine runs it.

mod machine;
mod random;

use crate::kernel::validate;
use machine::{Left, Machine};
use parallax_core::backend::Backend;
use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::{Bound, Shader, SysVal, verify};
use parallax_interp::Interpreter;
use parallax_lift::Options;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_random::Random;
use parallax_spirv::{Module, disassemble, lift};
use parallax_text::Span;
use parallax_x86::{Level, MachineCode};

const LANES: usize = 8;

type Lane = ([u32; 4], [u32; 4]);

fn run(bound: &Shader<Bound>, backend: &dyn Backend, lanes: &[Lane]) -> Vec<Left> {
    let iface = &bound.func.iface;
    let mut attrs = vec![0; iface.attrs.len() * 4 * LANES];
    for (n, attr) in iface.attrs.iter().enumerate() {
        for (lane, (floats, ints)) in lanes.iter().enumerate() {
            let words = if attr.name == "in[0]" { floats } else { ints };
            words.iter().enumerate().for_each(|(c, word)| attrs[(n * 4 + c) * LANES + lane] = *word);
        }
    }
    let inputs = Inputs {
        lanes: LANES,
        attrs: &attrs,
        banks: &[],
        sysvals: &[0; (SysVal::QuadLane as usize + 1) * LANES],
        covered: &[true; LANES],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let verified = verify(bound).unwrap_or_else(|diags| panic!("{diags:?}"));
    let program = backend.prepare(verified).unwrap_or_else(|reason| panic!("{reason}"));
    let mut out = Outputs::default();
    program.runner().run(&inputs, Memory::NONE, &mut out);
    let output = |lane: usize, name: &str| {
        let at = iface.outputs.iter().position(|output| output.name == name).expect("an output");
        (0..4).map(|c| out.planes[at * 4 + c].get(lane) as u32).collect()
    };
    (0..LANES)
        .map(|lane| Left { floats: output(lane, "out[0]"), ints: output(lane, "out[1]"), killed: !out.covered[lane] })
        .collect()
}

fn word(random: &mut Random) -> u32 {
    ((random.below(24) as f32 - 12.0) * 0.375).to_bits()
}

fn compare(seed: u64, cases: usize) {
    let mut random = Random::new(seed);
    let (mut killed, mut differ) = (0, 0);
    for case in 0..cases {
        let model = Model::builtin(["ieee", "llvmpipe", "maxwell"][case % 3]).expect("a built-in model");
        let words = random::module(&mut random);
        let lanes: Vec<Lane> = (0..LANES)
            .map(|_| ([0; 4].map(|_| word(&mut random)), [0; 4].map(|_| (random.below(9) as u32).wrapping_sub(3))))
            .collect();
        let machine = Machine::new(&model, &words);
        let walked: Vec<Left> = lanes.iter().map(|(floats, ints)| machine.run(*floats, *ints)).collect();
        killed += walked.iter().filter(|left| left.killed).count();
        differ += usize::from(walked.iter().any(|left| *left != walked[0]));

        let (module, diags) = Module::new(words.clone(), |_, words| Span::new(words.start * 4, words.end * 4));
        assert!(diags.is_empty(), "{diags:?}");
        let text = || disassemble(&module);
        if case % 40 == 0 {
            validate(&words, &text());
        }
        let shader = lift(&module, &Options::default()).unwrap_or_else(|diags| panic!("{diags:?}\n{}", text()));
        let optimised = optimise(canonicalise(shader.clone()).bind(&model), &mut NoObserver);
        let levels = Level::ALL.into_iter().filter(|level| level.is_supported());
        let machine_code = levels.map(|level| MachineCode { level: Some(level), ..MachineCode::BEST });
        let mut found = vec![run(&shader.bind(&model), &Interpreter, &lanes), run(&optimised, &Interpreter, &lanes)];
        found.extend(machine_code.map(|backend| run(&optimised, &backend, &lanes)));
        for (way, found) in found.iter().enumerate() {
            for (lane, (found, walked)) in found.iter().zip(&walked).enumerate() {
                let same = found.killed == walked.killed && (found.killed || found == walked);
                let name = model.name();
                assert!(
                    same,
                    "case {case}, way {way}, lane {lane} under {name}: {found:x?}, walked {walked:x?}\n{}",
                    text()
                );
            }
        }
    }
    assert!(killed > cases / 10, "{killed} of {cases}");
    assert!(differ > cases * 9 / 10, "{differ} of {cases}");
}

#[test]
fn lifted_modules_are_the_walk() {
    compare(7, 400);
}

/// 20,000 modules; takes minutes.
#[test]
#[ignore = "takes minutes"]
fn many_lifted_modules_are_the_walk() {
    compare(11, 20_000);
}
