//! Bit fields and dot products of integers of every width, against the definitions of the specification in wide arithmetic.

use crate::kernel::{declared, decorated, kernel, run};
use parallax_random::Random;

const LANES: u32 = 32;

/// Names of the signed and the unsigned type of a width, and the declarations of those that a kernel does not have.
fn integers(bits: u32) -> ([String; 2], String) {
    match bits {
        32 => (["%int".into(), "%uint".into()], String::new()),
        _ => (
            [format!("%s{bits}"), format!("%u{bits}")],
            format!("%s{bits} = OpTypeInt {bits} 1\n%u{bits} = OpTypeInt {bits} 0\n"),
        ),
    }
}

/// Numbers of so many bits as words in memory.
fn packed(values: &[u64], bits: u32) -> Vec<u32> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()[..bits as usize / 8].to_vec()).collect();
    let words = bytes.chunks(4).map(|word| {
        let mut all = [0; 4];
        all[..word.len()].copy_from_slice(word);
        u32::from_le_bytes(all)
    });
    words.collect()
}

fn unpacked(words: &[u32], bits: u32) -> Vec<u64> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let number = |part: &[u8]| part.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    bytes.chunks(bits as usize / 8).map(number).collect()
}

fn mask(bits: u32) -> u128 {
    (1 << bits) - 1
}

fn signed(value: u64, bits: u32) -> i128 {
    (i128::from(value) << (128 - bits)) >> (128 - bits)
}

/// SPIR-V 1.6, section 3.52.13: BitFieldInsert, BitFieldSExtract, BitFieldUExtract, BitReverse, BitCount.
fn fields(bits: u32, [base, insert]: [u64; 2], offset: u32, count: u32) -> [u64; 5] {
    let (base, field) = (u128::from(base), mask(count));
    let extracted = base >> offset & field;
    let sign = if count > 0 && extracted >> (count - 1) & 1 == 1 { !field } else { 0 };
    let reversed = (0..bits).fold(0, |sum, bit| sum | (base >> bit & 1) << (bits - 1 - bit));
    let all = [
        base & !(field << offset) | (u128::from(insert) & field) << offset,
        extracted | sign,
        extracted,
        reversed,
        u128::from(base.count_ones()),
    ];
    all.map(|value| (value & mask(bits)) as u64)
}

#[test]
fn bit_fields_have_every_width() {
    let mut random = Random::new(11);
    for bits in [8, 16, 32, 64] {
        let ([_, elem], types) = integers(bits);
        let types = format!("{types}{}{}%c7 = OpConstant %uint 7\n", declared(0, &elem), declared(1, "%uint"));
        let types = if bits == 32 { types.replace("%p1 = OpTypePointer StorageBuffer %uint\n", "") } else { types };
        let pointer = if bits == 32 { "%p0" } else { "%p1" };
        let mut body = format!(
            "%at = OpIMul %uint %lane %c7\n%two = OpIMul %uint %lane %c2\n%next = OpIAdd %uint %two %c1\n\
             %po = OpAccessChain {pointer} %b1 %c0 %two\n%offset = OpLoad %uint %po\n\
             %pc = OpAccessChain {pointer} %b1 %c0 %next\n%count = OpLoad %uint %pc\n\
             %pb = OpAccessChain %p0 %b0 %c0 %at\n%base = OpLoad {elem} %pb\n%at1 = OpIAdd %uint %at %c1\n\
             %pi = OpAccessChain %p0 %b0 %c0 %at1\n%insert = OpLoad {elem} %pi\n"
        );
        let instructions = [
            "OpBitFieldInsert ELEM %base %insert %offset %count",
            "OpBitFieldSExtract ELEM %base %offset %count",
            "OpBitFieldUExtract ELEM %base %offset %count",
            "OpBitReverse ELEM %base",
            "OpBitCount ELEM %base",
        ];
        for (n, instruction) in (2..).zip(instructions) {
            body += &format!(
                "%r{n} = {}\n%at{n} = OpIAdd %uint %at{} %c1\n%q{n} = OpAccessChain %p0 %b0 %c0 %at{n}\n\
                 OpStore %q{n} %r{n}\n",
                instruction.replace("ELEM", &elem),
                n - 1
            );
        }
        let (mut given, mut places, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for lane in 0..LANES {
            let values = [0; 2].map(|_: u64| random.word() & mask(bits) as u64);
            let (offset, count) = match lane {
                0 => (0, bits),
                1 => (0, 0),
                2 => (bits, 0),
                3 => (bits - 1, 1),
                _ => {
                    let offset = random.below(u64::from(bits)) as u32;
                    (offset, random.below(u64::from(bits - offset) + 1) as u32)
                }
            };
            given.extend(values.into_iter().chain([0; 5]));
            places.extend([offset, count]);
            expected.extend(values.into_iter().chain(fields(bits, values, offset, count)));
        }
        let text = kernel(LANES, &(decorated(0, 0, bits / 8) + &decorated(1, 1, 4)), &types, &body);
        let left = run(&text, vec![packed(&given, bits), places.clone()]);
        let found = unpacked(&left[0], bits);
        for (lane, (found, expected)) in found.chunks(7).zip(expected.chunks(7)).enumerate() {
            assert_eq!(found, expected, "{bits} bits, field {:?}", &places[2 * lane..2 * lane + 2]);
        }
    }
}

/// SPIR-V 1.6, section 3.52.13: products and their sum in the width of the result, the last sum saturated.
fn dot(bits: u32, parts: [&[i128]; 2], accumulator: Option<(i128, bool)>) -> u64 {
    let sum: i128 = parts[0].iter().zip(parts[1]).map(|(a, b)| a * b).sum();
    let sum = match accumulator {
        None => sum,
        Some((more, true)) => (signed(sum as u64, bits) + more).clamp(-(1 << (bits - 1)), mask(bits - 1) as i128),
        Some((more, false)) => ((sum as u128 & mask(bits)) as i128 + more).clamp(0, mask(bits) as i128),
    };
    sum as u64 & mask(bits) as u64
}

#[test]
fn dot_products_saturate_in_every_width() {
    let mut random = Random::new(12);
    for (from, to) in [(8, 8), (8, 16), (8, 32), (8, 64), (16, 16), (16, 32), (32, 32), (32, 64), (64, 64)] {
        for (op, signs) in [("S", [true, true]), ("U", [false, false]), ("SU", [true, false])] {
            for packs in [false, true] {
                if packs && from != 8 {
                    continue;
                }
                let ([_, elem], mut types) = integers(from);
                let ([_, result], more) = integers(to);
                if to != from {
                    types += &more;
                }
                // Two vectors of four, an accumulator, two results.
                let count = if from == 8 { 4 } else { 3 };
                types += &format!("%vec = OpTypeVector {elem} {count}\n");
                types += &declared(0, &elem);
                types += &declared(1, &result);
                if from == to {
                    types = types.replace(&format!("%p1 = OpTypePointer StorageBuffer {result}\n"), "");
                }
                let pointer = if from == to { "%p0" } else { "%p1" };
                types += "%c3 = OpConstant %uint 3\n%stride = OpConstant %uint 8\n";
                let mut body = "%at = OpIMul %uint %lane %stride\n%out = OpIMul %uint %lane %c3\n".to_string();
                for n in 0..2 * count {
                    types += &format!("%k{n} = OpConstant %uint {n}\n");
                    body += &format!(
                        "%i{n} = OpIAdd %uint %at %k{n}\n%pa{n} = OpAccessChain %p0 %b0 %c0 %i{n}\n\
                         %e{n} = OpLoad {elem} %pa{n}\n"
                    );
                }
                let list = |first: u32| (first..first + count).map(|n| format!(" %e{n}")).collect::<String>();
                body += &format!(
                    "%va = OpCompositeConstruct %vec{}\n%vb = OpCompositeConstruct %vec{}\n",
                    list(0),
                    list(count)
                );
                let (a, b, format) = match packs {
                    true => {
                        body += "%wa = OpBitcast %uint %va\n%wb = OpBitcast %uint %vb\n";
                        ("%wa", "%wb", " PackedVectorFormat4x8Bit")
                    }
                    false => ("%va", "%vb", ""),
                };
                body += &format!(
                    "%pc = OpAccessChain {pointer} %b1 %c0 %out\n%acc = OpLoad {result} %pc\n\
                     %plain = Op{op}Dot {result} {a} {b}{format}\n\
                     %most = Op{op}DotAccSat {result} {a} {b} %acc{format}\n\
                     %o1 = OpIAdd %uint %out %c1\n%o2 = OpIAdd %uint %out %c2\n\
                     %p1a = OpAccessChain {pointer} %b1 %c0 %o1\nOpStore %p1a %plain\n\
                     %p2a = OpAccessChain {pointer} %b1 %c0 %o2\nOpStore %p2a %most\n"
                );
                let (mut given, mut outs, mut expected) = (Vec::new(), Vec::new(), Vec::new());
                for lane in 0..LANES {
                    // Small components, so that no product or sum before the last leaves its width.
                    let limit = ((to - 4) / 2).min(from);
                    let word = |sign: bool, random: &mut Random| {
                        let value = random.word() & mask(limit) as u64;
                        let value = if sign { signed(value, limit) as u64 } else { value };
                        value & mask(from) as u64
                    };
                    let parts: Vec<u64> = (0..8)
                        .map(|n| if n < 2 * count { word(signs[(n >= count) as usize], &mut random) } else { 0 })
                        .collect();
                    let acc = match lane % 4 {
                        0 => mask(to) as u64,
                        1 => mask(to - 1) as u64,
                        2 => 1 << (to - 1),
                        _ => random.word() & mask(to) as u64,
                    };
                    let read = |value: u64, sign: bool| if sign { signed(value, from) } else { i128::from(value) };
                    let side = |n: usize| -> Vec<i128> {
                        let first = n * count as usize;
                        parts[first..first + count as usize].iter().map(|&part| read(part, signs[n])).collect()
                    };
                    let (x, y) = (side(0), side(1));
                    let more = if signs[0] { signed(acc, to) } else { i128::from(acc) };
                    given.extend(&parts);
                    outs.extend([acc, 0, 0]);
                    expected.extend([acc, dot(to, [&x, &y], None), dot(to, [&x, &y], Some((more, signs[0])))]);
                }
                let text = kernel(LANES, &(decorated(0, 0, from / 8) + &decorated(1, 1, to / 8)), &types, &body);
                let left = run(&text, vec![packed(&given, from), packed(&outs, to)]);
                assert_eq!(unpacked(&left[1], to), expected, "Op{op}Dot of {from} bits to {to}, packed: {packs}");
            }
        }
    }
}
