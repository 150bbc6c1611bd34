//! Which lookups code does itself.

use parallax_core::exec::{
    FUEL, FlatAxis, FlatImage, FlatTexels, Inputs, Memory, NoInterpolator, Outputs, TexQuad, Textures,
};
use parallax_core::text::read;
use parallax_core::{TexOp, verify};
use parallax_num::Model;
use parallax_step::Programs;
use parallax_x86::{Level, Program, compile};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An image of two by two texels that is repeated; counts the quads that the host is asked for.
struct Counting {
    texels: [[u32; 4]; 9],
    /// Of the first component.
    pairs: [[u32; 2]; 6],
    asked: AtomicUsize,
}

impl Textures for Counting {
    fn sample(&self, _: &TexOp, _: &TexQuad) -> [[u32; 4]; 4] {
        self.asked.fetch_add(1, Ordering::Relaxed);
        [[0x4000_0000; 4]; 4]
    }

    fn flat(&self, _: &TexOp, only: Option<usize>) -> Option<FlatImage<'_>> {
        let axis = FlatAxis { scale: 2.0, low: i32::MIN, high: i32::MAX, mask: 1 };
        let texels = match only {
            Some(comp) => {
                assert_eq!(comp, 0);
                FlatTexels::Pairs(&self.pairs)
            }
            None => FlatTexels::Whole(&self.texels),
        };
        let is_moderate = self.texels.as_flattened().iter().all(|&word| f32::from_bits(word).abs() <= 1.0);
        Some(FlatImage { texels, is_moderate, width: 3, origin: 0, axes: [axis; 2] })
    }
}

/// Runs a batch whose only attribute is given; what comes out, and how many quads the host was asked for.
fn run(program: &Program, attrs: &[u32], banks: &[&[[u32; 4]]], texels: [[u32; 4]; 9]) -> (Vec<u64>, usize) {
    let pairs = std::array::from_fn(|n| [texels[n][0], texels[n + 3][0]]);
    let (lanes, textures) = (attrs.len() / 4, Counting { texels, pairs, asked: AtomicUsize::new(0) });
    let inputs = Inputs {
        lanes,
        attrs,
        banks,
        sysvals: &[],
        covered: &vec![true; lanes],
        textures: &textures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let mut outputs = Outputs::default();
    program.run(&inputs, Memory::NONE, &mut outputs);
    (outputs.planes[0].to_words(), textures.asked.into_inner())
}

/// A lookup at constant coordinates behind an instruction that reads the same constant, which two blocks share in a register
/// that lookups use.
#[test]
fn coordinates_that_two_blocks_share_are_read_anew() {
    const TEXT: &str = "shader \"shared\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  bank 0 \"CONST[0]\" len(1)
  texture 0 d2
  output 0 \"OUT[0]\" color(0) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = KIND
  %2: p0 = lit 0x3e800000
  %3: p0 = mad %0, %2, %1
  %4: p0, %5: p0, %6: p0, %7: p0 = tex implicit d2 unit(0) PLACE
  out o0.x, %4
  yield
}
";
    let word = |number: f32| number.to_bits();
    // Texels of the upper row, the lower row, and the upper row again behind the edge.
    let rows = [0.25, 1.0, 0.25].map(|number: f32| [[word(number); 4]; 3]);
    let texels: [[u32; 4]; 9] = std::array::from_fn(|n| rows[n / 3][n % 3]);
    let bank = [[word(0.25); 4]];
    for (kind, place, wanted) in [
        ("lit 0x3e800000", "%3, %1, %1, %1", 0.25),
        ("const c0[0].x", "%3, %1, %1, %1", 0.25),
        ("const c0[0].x", "%1, %1, %1, %1", 0.25),
        ("lit 0x3f400000", "%3, %1, %2, %2", 1.0),
        ("lit 0x3f400000", "%2, %1, %1, %1", 1.0),
    ] {
        let text = TEXT.replace("KIND", kind).replace("PLACE", place);
        let symbolic = read(&text).unwrap_or_else(|diags| panic!("{diags:#?}"));
        let bound = symbolic.bind(&Model::builtin("ieee").expect("built in"));
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let program = compile(verify(&bound).expect("sound"), level, &mut Programs::default()).expect("compiles");
            assert_eq!(program.blocks(), 2);
            let (words, asked) = run(&program, &[word(0.3); 64 * 4], &[&bank], texels);
            assert_eq!(asked, 0);
            assert_eq!(words, [u64::from(word(wanted)); 64], "{level} {kind} {place}");
        }
    }
}

/// A lookup in a branch that lanes with a NaN do not take: the host is asked where such a lane is a neighbour of one that
/// executes, not where its whole quad stays away.
#[test]
fn coordinates_of_quads_that_do_not_execute_do_not_matter() {
    const TEXT: &str = "shader \"branch\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  texture 0 d2
  output 0 \"OUT[0]\" color(0) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = lit 0x40000000
  %2: pred = flt %0, %1 under p0
  %3: fp32 = if %2 initial(%1) {
    %4: p0, %5: p0, %6: p0, %7: p0 = tex implicit d2 unit(0) %0, %0, %0, %0
    yield %4
  } else {
    yield %1
  }
  out o0.x, %3
  yield
}
";
    let bound =
        read(TEXT).unwrap_or_else(|diags| panic!("{diags:#?}")).bind(&Model::builtin("ieee").expect("built in"));
    let nan = f32::NAN.to_bits();
    let word = |number: f32| number.to_bits();
    for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
        let program = compile(verify(&bound).expect("sound"), level, &mut Programs::default()).expect("compiles");
        // Lanes without a number, and whether the host is asked: for all quads of the first block.
        for (without, asked) in [(4..8, false), (0..0, false), (5..8, true), (0..1, true)] {
            let mut attrs = vec![word(0.3); 16 * 4];
            attrs[without.clone()].fill(nan);
            let (words, count) = run(&program, &attrs, &[], [[word(0.25); 4]; 9]);
            assert_eq!(count, if asked { level.lanes() / 4 } else { 0 }, "{level} {without:?}");
            for (lane, &found) in words.iter().enumerate() {
                let is_by_host = asked && lane < level.lanes();
                let texel = if is_by_host { 0x4000_0000 } else { word(0.25) };
                let wanted = if without.contains(&lane) { 0x4000_0000 } else { texel };
                assert_eq!(found, u64::from(wanted), "{level} {without:?} {lane}");
            }
        }
    }
}

/// NaNs among texels, and those that blends make, have the bits of those of textures, whether one component is read or several.
#[test]
fn nans_have_the_bits_of_those_of_textures() {
    const TEXT: &str = "shader \"nans\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  texture 0 d2
  output 0 \"OUT[0]\" color(0) fp32 OTHERS
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = lit 0x3e800000
  %4: p0, %5: p0, %6: p0, %7: p0 = tex implicit d2 unit(0) %0, %1, %1, %1
  out o0.x, %4
  SECOND
  yield
}
";
    let word = |number: f32| number.to_bits();
    let (large, infinite) = (word(f32::MAX), word(f32::INFINITY));
    // What is infinite in both rows is subtracted from itself.
    for (left, right, wanted) in [
        (0x7fa0_0001, word(1.0), 0xffc0_0000),
        (infinite, infinite | 1 << 31, 0xffc0_0000),
        (word(2.0), infinite, 0xffc0_0000),
        (large, large | 1 << 31, 0xffc0_0000),
        (word(2.0), word(3.0), word(2.5)),
        (word(0.0), word(0.5), word(0.25)),
    ] {
        let texels = std::array::from_fn(|n| if n % 3 == 1 { [right; 4] } else { [left; 4] });
        for (others, second) in [("- - -", ""), ("fp32 - -", "out o0.y, %5")] {
            let text = TEXT.replace("OTHERS", others).replace("SECOND", second);
            let symbolic = read(&text).unwrap_or_else(|diags| panic!("{diags:#?}"));
            let bound = symbolic.bind(&Model::builtin("ieee").expect("built in"));
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let program =
                    compile(verify(&bound).expect("sound"), level, &mut Programs::default()).expect("compiles");
                // Coordinates that lie half between two texels.
                let (words, asked) = run(&program, &[word(0.5); 64 * 4], &[], texels);
                assert_eq!((asked, words), (0, vec![u64::from(wanted); 64]), "{level} {left:08x} {right:08x} {second}");
            }
        }
    }
}
