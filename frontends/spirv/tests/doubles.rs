//! Floats and integers of 64 bits: in memory, in constants, in arithmetic and conversions.

use crate::kernel::{declared, decorated, kernel, run, run_with};
use parallax_lift::Options;

const TYPES: &str = "%double = OpTypeFloat 64\n%long = OpTypeInt 64 1\n%ulong = OpTypeInt 64 0\n%bool = OpTypeBool\n\
                     %v2uint = OpTypeVector %uint 2\n%half = OpTypeFloat 16\n%short = OpTypeInt 16 1\n\
                     %one = OpConstant %double 1\n%zero = OpConstant %double 0\n";

fn words(values: &[u64]) -> Vec<u32> {
    values.iter().flat_map(|value| [*value as u32, (*value >> 32) as u32]).collect()
}

fn longs(words: &[u32]) -> Vec<u64> {
    words.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
}

/// What a kernel makes of each pair of numbers: `%r`, a double, of the doubles `%a` and `%b`.
fn each(body: &str, pairs: &[[u64; 2]]) -> Vec<u64> {
    let types = format!("{TYPES}{}{}", declared(0, "%double"), declared(1, "%double"));
    let body = format!(
        "%twice = OpIMul %uint %lane %c2\n%next = OpIAdd %uint %twice %c1\n\
         %pa = OpAccessChain %p0 %b0 %c0 %twice\n%a = OpLoad %double %pa\n\
         %pb = OpAccessChain %p0 %b0 %c0 %next\n%b = OpLoad %double %pb\n{body}\
         %to = OpAccessChain %p1 %b1 %c0 %lane\nOpStore %to %r\n"
    );
    let text = kernel(pairs.len() as u32, &(decorated(0, 0, 8) + &decorated(1, 1, 8)), &types, &body);
    let left = run(&text, vec![words(&pairs.concat()), vec![0; pairs.len() * 2]]);
    longs(&left[1])
}

/// Numbers that are not like the others, each with each.
fn pairs() -> Vec<[u64; 2]> {
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        2.5,
        0.1,
        -7.25,
        f64::INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        -1.1e-310,
        4_503_599_627_370_497.5,
        1e300,
        -3e-200,
    ];
    numbers.iter().flat_map(|a| numbers.iter().map(|b| [a.to_bits(), b.to_bits()])).collect()
}

#[test]
fn arithmetic_on_doubles_is_that_of_binary64() {
    type Of = fn(f64, f64) -> f64;
    let table: &[(&str, Of)] = &[
        ("OpFAdd %double %a %b", |a, b| a + b),
        ("OpFSub %double %a %b", |a, b| a - b),
        ("OpFMul %double %a %b", |a, b| a * b),
        ("OpFDiv %double %a %b", |a, b| a / b),
        ("OpFNegate %double %a", |a, _| -a),
        ("OpExtInst %double %glsl FAbs %a", |a, _| a.abs()),
        ("OpExtInst %double %glsl Floor %a", |a, _| a.floor()),
        ("OpExtInst %double %glsl Ceil %a", |a, _| a.ceil()),
        ("OpExtInst %double %glsl Trunc %a", |a, _| a.trunc()),
        ("OpExtInst %double %glsl RoundEven %a", |a, _| a.round_ties_even()),
        ("OpExtInst %double %glsl Fract %a", |a, _| a - a.floor()),
        ("OpExtInst %double %glsl Sqrt %a", |a, _| a.sqrt()),
        ("OpExtInst %double %glsl FMin %a %b", |a, b| if b < a { b } else { a }),
        ("OpExtInst %double %glsl FMax %a %b", |a, b| if a < b { b } else { a }),
        (
            "OpExtInst %double %glsl NClamp %a %zero %one",
            |a, _| if a > 0.0 { if a < 1.0 { a } else { 1.0 } } else { 0.0 },
        ),
        ("OpExtInst %double %glsl Step %a %b", |a, b| if b < a { 0.0 } else { 1.0 }),
        ("OpExtInst %double %glsl Fma %a %b %one", |a, b| a.mul_add(b, 1.0)),
        ("OpFMod %double %a %one", |a, _| a - (a / 1.0).floor()),
    ];
    let pairs = pairs();
    for (instruction, expected) in table {
        let found = each(&format!("%r = {instruction}\n"), &pairs);
        for ([a, b], found) in
            pairs.iter().map(|pair| pair.map(f64::from_bits)).zip(found.iter().map(|r| f64::from_bits(*r)))
        {
            let expected = expected(a, b);
            // Which zero is the smaller, and the bits of NaN, are up to the model.
            let same = found.to_bits() == expected.to_bits()
                || (found.is_nan() && expected.is_nan())
                || (instruction.contains("FM") && found == 0.0 && expected == 0.0)
                || (instruction.contains("NClamp") && found == 0.0 && expected == 0.0);
            assert!(same, "{instruction} of {a:e} and {b:e}: {found:e}, not {expected:e}");
        }
    }
}

#[test]
fn comparisons_and_selects_of_doubles() {
    type Of = fn(f64, f64) -> bool;
    let table: &[(&str, Of)] = &[
        ("OpFOrdLessThan", |a, b| a < b),
        ("OpFOrdEqual", |a, b| a == b),
        ("OpFUnordNotEqual", |a, b| a != b),
        ("OpFUnordGreaterThanEqual", |a, b| a >= b || a.is_nan() || b.is_nan()),
        ("OpFOrdNotEqual", |a, b| a != b && !a.is_nan() && !b.is_nan()),
    ];
    let nan = f64::NAN.to_bits();
    let pairs: Vec<[u64; 2]> = pairs().into_iter().chain([[nan, 0], [0, nan], [nan, nan]]).collect();
    for (op, expected) in table {
        let found = each(&format!("%t = {op} %bool %a %b\n%r = OpSelect %double %t %a %b\n"), &pairs);
        for ([a, b], found) in pairs.iter().zip(found) {
            let chosen = if expected(f64::from_bits(*a), f64::from_bits(*b)) { a } else { b };
            assert_eq!(found, *chosen, "{op} of {a:x} and {b:x}");
        }
    }
}

/// From doubles and to doubles: each result rounds once.
#[test]
fn conversions_of_doubles_and_longs_round_once() {
    type Of = fn(u64) -> f64;
    let of_double: &[(&str, Of)] = &[
        ("%x = OpFConvert %float %a\n%r = OpFConvert %double %x\n", |a| f64::from(f64::from_bits(a) as f32)),
        ("%x = OpConvertFToS %long %a\n%r = OpConvertSToF %double %x\n", |a| f64::from_bits(a) as i64 as f64),
        ("%x = OpConvertFToS %int %a\n%r = OpConvertSToF %double %x\n", |a| f64::from(f64::from_bits(a) as i32)),
        ("%x = OpConvertFToS %short %a\n%r = OpConvertSToF %double %x\n", |a| f64::from(f64::from_bits(a) as i16)),
        ("%x = OpExtInst %double %glsl FAbs %a\n%y = OpConvertFToU %ulong %x\n%r = OpConvertUToF %double %y\n", |a| {
            f64::from_bits(a).abs() as u64 as f64
        }),
        ("%x = OpFConvert %float %a\n%y = OpConvertFToS %long %x\n%r = OpConvertSToF %double %y\n", |a| {
            f64::from_bits(a) as f32 as i64 as f64
        }),
    ];
    let of_bits: &[(&str, Of)] = &[
        ("%x = OpBitcast %long %a\n%r = OpConvertSToF %double %x\n", |a| a as i64 as f64),
        ("%x = OpBitcast %ulong %a\n%r = OpConvertUToF %double %x\n", |a| a as f64),
        ("%x = OpBitcast %long %a\n%y = OpConvertSToF %float %x\n%r = OpFConvert %double %y\n", |a| {
            f64::from(a as i64 as f32)
        }),
        ("%x = OpBitcast %ulong %a\n%y = OpConvertUToF %float %x\n%r = OpFConvert %double %y\n", |a| {
            f64::from(a as f32)
        }),
    ];
    let doubles = [0.0, 1.0, -1.0, 0.1, 100.7, -32_000.99, 16_777_217.0, -2_147_483_000.5, 1.0 + 2f64.powi(-24), 5e-46];
    let integers = [
        0,
        1,
        u64::MAX,
        1 << 63,
        (1 << 53) + 1,
        (1 << 53) + 3,
        u64::MAX - 1023,
        u64::MAX - 1024,
        (1 << 24) + 1,
        // A binary64 number in the middle of two of binary32, but for the last bit of the integer.
        0x4000_0040_0000_0001,
        0x4000_0040_0000_0000,
        0xc000_00c0_0000_0001,
    ];
    for (table, numbers) in [(of_double, doubles.map(f64::to_bits).to_vec()), (of_bits, integers.to_vec())] {
        let pairs: Vec<[u64; 2]> = numbers.iter().map(|number| [*number, 0]).collect();
        for (body, expected) in table {
            let found = each(body, &pairs);
            for (number, found) in numbers.iter().zip(found) {
                // What does not fit the integer is not defined.
                let limit = if body.contains("%short") { 32_768.0 } else { 2_147_483_648.0 };
                if (body.contains("%short") || body.contains("%int")) && f64::from_bits(*number).abs() >= limit {
                    continue;
                }
                let expected = expected(*number);
                assert_eq!(f64::from_bits(found), expected, "{body} of {number:x}");
            }
        }
    }
    // To halves, where a stop at binary32 would round in the middle.
    let numbers = [1.0 + 2f64.powi(-11), 1.0 + 2f64.powi(-11) + 2f64.powi(-40), 65_519.999, 65_520.0, 2f64.powi(-25)];
    let pairs: Vec<[u64; 2]> = numbers.iter().map(|number| [number.to_bits(), 0]).collect();
    let found = each("%x = OpFConvert %half %a\n%r = OpFConvert %double %x\n", &pairs);
    let found: Vec<f64> = found.into_iter().map(f64::from_bits).collect();
    assert_eq!(found, [1.0, 1.0 + 2f64.powi(-10), 65_504.0, f64::INFINITY, 0.0]);
}

#[test]
fn parts_of_doubles() {
    let list = |numbers: &[f64]| numbers.iter().map(|n| [n.to_bits(), 0]).collect::<Vec<_>>();
    let numbers = [8.0, 5e-324, -3.0, 0.0, -0.0, f64::INFINITY, 1.5e-310, f64::MAX];
    let body = |set: &str, first: &str, second: &str| {
        format!("%x = OpExtInst %pair %glsl {set} %a\n%m = OpCompositeExtract %double %x 0\n{first}{second}")
    };
    let run = |types: &str, body: &str, numbers: &[f64]| {
        let pairs = list(numbers);
        let types = format!("{TYPES}{types}{}{}", declared(0, "%double"), declared(1, "%double"));
        let body = format!(
            "%twice = OpIMul %uint %lane %c2\n%pa = OpAccessChain %p0 %b0 %c0 %twice\n%a = OpLoad %double %pa\n{body}\
             %next = OpIAdd %uint %twice %c1\n%to = OpAccessChain %p1 %b1 %c0 %twice\nOpStore %to %m\n\
             %also = OpAccessChain %p1 %b1 %c0 %next\nOpStore %also %r\n"
        );
        let text = kernel(pairs.len() as u32, &(decorated(0, 0, 8) + &decorated(1, 1, 8)), &types, &body);
        let left = crate::kernel::run(&text, vec![words(&pairs.concat()), vec![0; pairs.len() * 4]]);
        longs(&left[1]).chunks(2).map(|pair| [f64::from_bits(pair[0]), f64::from_bits(pair[1])]).collect::<Vec<_>>()
    };
    let exponent = "%e = OpCompositeExtract %int %x 1\n%r = OpConvertSToF %double %e\n";
    let found = run("%pair = OpTypeStruct %double %int\n", &body("FrexpStruct", exponent, ""), &numbers);
    let smaller = 1.5e-310 * 2f64.powi(1000) * 2f64.powi(29);
    assert_eq!(
        found,
        [
            [0.5, 4.0],
            [0.5, -1073.0],
            [-0.75, 2.0],
            [0.0, 0.0],
            [-0.0, 0.0],
            [f64::INFINITY, 0.0],
            [smaller, -1029.0],
            [f64::MAX * 2f64.powi(-1024), 1024.0]
        ]
    );
    let whole = "%r = OpCompositeExtract %double %x 1\n";
    let found =
        run("%pair = OpTypeStruct %double %double\n", &body("ModfStruct", whole, ""), &[-2.75, f64::INFINITY, 0.5]);
    assert_eq!(found, [[-0.75, -2.0], [0.0, f64::INFINITY], [0.5, 0.0]]);
    // Powers whose factors are beyond the range of one.
    let powers = [(1.0, 1023.0), (1.0, -1074.0), (2f64.powi(-1000), 2000.0), (0.75, 1024.0), (3.0, 0.0), (1.0, 2000.0)];
    let pairs: Vec<[u64; 2]> = powers.iter().map(|(a, b): &(f64, f64)| [a.to_bits(), b.to_bits()]).collect();
    let found = each("%e = OpConvertFToS %int %b\n%r = OpExtInst %double %glsl Ldexp %a %e\n", &pairs);
    let found: Vec<f64> = found.into_iter().map(f64::from_bits).collect();
    let largest = 2f64.powi(1023);
    assert_eq!(found, [largest, 5e-324, 2f64.powi(1000), 0.75 * largest * 2.0, 3.0, f64::INFINITY]);
}

#[test]
fn bits_of_doubles_are_words_and_longs() {
    let swapped = |bits: u64| bits.rotate_left(32);
    let numbers = [0x0123_4567_89ab_cdef, 0xfff0_0000_0000_0001, 0x8000_0000_7fff_ffff];
    let pairs = numbers.map(|number| [number, 0]);
    for body in [
        "%x = OpExtInst %v2uint %glsl UnpackDouble2x32 %a\n%y = OpVectorShuffle %v2uint %x %x 1 0\n\
         %r = OpExtInst %double %glsl PackDouble2x32 %y\n",
        "%x = OpBitcast %v2uint %a\n%y = OpVectorShuffle %v2uint %x %x 1 0\n%r = OpBitcast %double %y\n",
        "%x = OpBitcast %ulong %a\n%n = OpBitwiseOr %uint %c32 %c0\n%h = OpShiftRightLogical %ulong %x %n\n\
         %l = OpShiftLeftLogical %ulong %x %n\n%y = OpBitwiseOr %ulong %h %l\n%r = OpBitcast %double %y\n",
    ] {
        let body = body.replace("%n = OpBitwiseOr %uint %c32 %c0\n", "%n = OpShiftLeftLogical %uint %c1 %five\n");
        let body = format!("%four = OpIMul %uint %c2 %c2\n%five = OpIAdd %uint %four %c1\n{body}");
        assert_eq!(each(&body, &pairs), numbers.map(swapped), "{body}");
    }
}

/// Vectors, matrices by rows, arrays that a value indexes, constants and specialisation constants.
#[test]
fn composites_of_doubles() {
    let types = format!(
        "{TYPES}%v3 = OpTypeVector %double 3\n%m = OpTypeMatrix %v3 2\n%c4 = OpConstant %uint 4\n\
         %list = OpTypeArray %double %c4\n%plist = OpTypePointer Function %list\n%pd = OpTypePointer Function %double\n\
         %third = OpConstant %double 0.3333333333333333\n%sc = OpSpecConstant %double 2.5\n\
         %vector = OpSpecConstantComposite %v3 %third %sc %one\n%elem = OpTypeStruct %m %v3\n{}{}\
         %pv = OpTypePointer StorageBuffer %v3\n%pm = OpTypePointer StorageBuffer %m\n%ps = OpTypePointer StorageBuffer %double\n",
        declared(0, "%elem"),
        declared(1, "%double")
    );
    let decorations = decorated(0, 0, 128)
        + &decorated(1, 1, 8)
        + "OpMemberDecorate %elem 0 Offset 0\nOpMemberDecorate %elem 0 RowMajor\nOpMemberDecorate %elem 0 MatrixStride 16\n\
           OpMemberDecorate %elem 1 Offset 64\nOpDecorate %sc SpecId 7\n";
    let body = "%all = OpVariable %plist Function\n%pmat = OpAccessChain %pm %b0 %c0 %lane %c0\n%mat = OpLoad %m %pmat\n\
                %pvec = OpAccessChain %pv %b0 %c0 %lane %c1\n%vec = OpLoad %v3 %pvec\n\
                %column = OpCompositeExtract %v3 %mat 1\n%sum = OpFAdd %v3 %column %vec\n%scaled = OpFMul %v3 %sum %vector\n\
                OpStore %pvec %scaled\n%dot = OpDot %double %vec %vec\n\
                %x0 = OpCompositeExtract %double %scaled 0\n%x1 = OpCompositeExtract %double %scaled 1\n\
                %x2 = OpCompositeExtract %double %scaled 2\n%filled = OpCompositeConstruct %list %x0 %x1 %x2 %dot\n\
                OpStore %all %filled\n%three = OpIAdd %uint %c2 %c1\n%at = OpISub %uint %three %lane\n\
                %place = OpAccessChain %pd %all %at\n%value = OpLoad %double %place\n\
                %to = OpAccessChain %p1 %b1 %c0 %lane\nOpStore %to %value\n\
                %cell = OpAccessChain %ps %b0 %c0 %lane %c0 %lane %c1\nOpStore %cell %third\n";
    let text = kernel(2, &decorations, &types, body);
    // Row by row: 1 2, 3 4, 5 6; then the vector 10 20 30.
    let mut element = vec![1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0, 0.0, 10.0, 20.0, 30.0];
    element.resize(16, 0.0);
    let given: Vec<u64> = [element.clone(), element].concat().iter().map(|n| n.to_bits()).collect();
    let third = 0.333_333_333_333_333_3;
    for (options, factor) in [
        (Options::default(), 2.5),
        (Options { spec: [(7, 4f64.to_bits())].into_iter().collect(), ..Options::default() }, 4.0),
    ] {
        let left = run_with(&text, &options, vec![words(&given), vec![0; 4]]);
        let found: Vec<f64> = longs(&left[0]).into_iter().map(f64::from_bits).collect();
        // Row 1 of column 0 and of column 1 in turn.
        assert_eq!(found[..8], [1.0, 2.0, third, 4.0, 5.0, 6.0, 0.0, 0.0]);
        assert_eq!(found[16..24], [1.0, 2.0, 3.0, third, 5.0, 6.0, 0.0, 0.0]);
        assert_eq!(found[8..11], [12.0 * third, 24.0 * factor, 36.0]);
        let list: Vec<f64> = longs(&left[1]).into_iter().map(f64::from_bits).collect();
        assert_eq!(list, [1400.0, 36.0]);
    }
}
