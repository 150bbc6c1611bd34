//! Atomics on 64-bit integers and on floats: invocations take turns in their order.

use crate::kernel::{declared, decorated, kernel, run};

const LANES: u32 = 6;

/// What is left in the place and what each invocation saw there, for an atomic on `%p`. `convert` makes `%n` of `%lane`.
fn turns(elem: &str, types: &str, convert: &str, atomic: &str, start: u64) -> (u64, Vec<u64>) {
    let bytes: usize = match elem {
        "%half" => 2,
        "%float" | "%uint" => 4,
        _ => 8,
    };
    let second = declared(1, elem);
    let second = second.lines().filter(|line| !line.starts_with("%p1")).map(|line| format!("{line}\n"));
    let types = format!("{types}{}{}", declared(0, elem), second.collect::<String>());
    let body = format!(
        "{convert}%p = OpAccessChain %p0 %b0 %c0 %c0\n%old = {atomic}\n\
         %to = OpAccessChain %p0 %b1 %c0 %lane\nOpStore %to %old\n"
    );
    let text = kernel(LANES, &(decorated(0, 0, bytes as u32) + &decorated(1, 1, bytes as u32)), &types, &body);
    let left = run(&text, vec![vec![start as u32, (start >> 32) as u32], vec![0; LANES as usize * 2]]);
    let number = |words: &[u32], n: usize| match bytes {
        8 => u64::from(words[2 * n]) | u64::from(words[2 * n + 1]) << 32,
        4 => u64::from(words[n]),
        _ => u64::from(words[n / 2] >> (16 * (n % 2)) & 0xffff),
    };
    (number(&left[0], 0), (0..LANES as usize).map(|n| number(&left[1], n)).collect())
}

/// Each invocation in turn changes the number; what it was before is what it sees.
fn in_turn(start: u64, change: impl Fn(u64, u64) -> u64) -> (u64, Vec<u64>) {
    let mut value = start;
    let seen = (0..u64::from(LANES)).map(|lane| {
        let new = change(value, lane);
        std::mem::replace(&mut value, new)
    });
    let seen = seen.collect();
    (value, seen)
}

#[test]
fn longs_are_changed_in_turn() {
    type Of = fn(u64, u64) -> u64;
    let table: &[(&str, Of)] = &[
        ("OpAtomicIAdd %long %p %c1 %c0 %n", u64::wrapping_add),
        ("OpAtomicISub %long %p %c1 %c0 %n", u64::wrapping_sub),
        ("OpAtomicIIncrement %long %p %c1 %c0", |old, _| old.wrapping_add(1)),
        ("OpAtomicIDecrement %long %p %c1 %c0", |old, _| old.wrapping_sub(1)),
        ("OpAtomicSMin %long %p %c1 %c0 %n", |old, n| (old as i64).min(n as i64) as u64),
        ("OpAtomicSMax %long %p %c1 %c0 %n", |old, n| (old as i64).max(n as i64) as u64),
        ("OpAtomicUMin %long %p %c1 %c0 %n", u64::min),
        ("OpAtomicUMax %long %p %c1 %c0 %n", u64::max),
        ("OpAtomicAnd %long %p %c1 %c0 %n", |old, n| old & n),
        ("OpAtomicOr %long %p %c1 %c0 %n", |old, n| old | n),
        ("OpAtomicXor %long %p %c1 %c0 %n", |old, n| old ^ n),
        ("OpAtomicExchange %long %p %c1 %c0 %n", |_, n| n),
        ("OpAtomicCompareExchange %long %p %c1 %c0 %c0 %n %five", |old, n| if old == 5 { n } else { old }),
    ];
    let types = "%long = OpTypeInt 64 0\n%step = OpConstant %long 9223372032559808513\n%five = OpConstant %long 5\n";
    let convert = "%wide = OpUConvert %long %lane\n%n = OpIMul %long %wide %step\n";
    for (atomic, change) in table {
        for start in [5, 0xffff_ffff_ffff_fff0, 0x0000_0001_ffff_ffff] {
            let found = turns("%long", types, convert, atomic, start);
            let expected = in_turn(start, |old, lane| change(old, lane.wrapping_mul(0x7fff_ffff_0000_0001)));
            assert_eq!(found, expected, "{atomic} from {start:x}");
        }
    }
}

/// The sum depends on the order, and each step of it rounds to the format.
#[test]
fn sums_of_floats_are_taken_in_turn() {
    let float = |bits: u64| f32::from_bits(bits as u32);
    let convert = "%n = OpConvertUToF %float %lane\n";
    let found =
        turns("%float", "", convert, "OpAtomicFAddEXT %float %p %c1 %c0 %n", u64::from(33_554_432f32.to_bits()));
    assert_eq!(
        found,
        in_turn(u64::from(33_554_432f32.to_bits()), |old, n| u64::from((float(old) + n as f32).to_bits()))
    );

    let double = f64::from_bits;
    let start = 9_007_199_254_740_992f64.to_bits();
    let convert = "%n = OpConvertUToF %double %lane\n";
    let types = "%double = OpTypeFloat 64\n";
    let found = turns("%double", types, convert, "OpAtomicFAddEXT %double %p %c1 %c0 %n", start);
    assert_eq!(found, in_turn(start, |old, n| (double(old) + n as f64).to_bits()));

    // 2048 and more have no odd halves: 2048, 2048, 2050, 2052 (2053 is a tie), 2056, 2060 (2061 is a tie).
    let convert = "%n = OpConvertUToF %half %lane\n";
    let found = turns("%half", "%half = OpTypeFloat 16\n", convert, "OpAtomicFAddEXT %half %p %c1 %c0 %n", 0x6800);
    assert_eq!(found, (0x6806, vec![0x6800, 0x6800, 0x6800, 0x6801, 0x6802, 0x6804]));
}

#[test]
fn extremes_of_floats_are_taken_in_turn() {
    let types = "%double = OpTypeFloat 64\n%half = OpTypeFloat 16\n%two = OpConstant %float 2\n";
    // 2, 1, 0, -1, -2, -3 in turn.
    for (elem, convert, start, least, most) in [
        ("%float", "%n = OpFSub %float %two %m\n", 0x3fc0_0000, 0xc040_0000, 0x4000_0000),
        (
            "%double",
            "%k = OpFSub %float %two %m\n%n = OpFConvert %double %k\n",
            0x3ff8 << 48,
            0xc008 << 48,
            0x4000 << 48,
        ),
        ("%half", "%k = OpFSub %float %two %m\n%n = OpFConvert %half %k\n", 0x3e00, 0xc200, 0x4000),
    ] {
        let convert = format!("%m = OpConvertUToF %float %lane\n{convert}");
        for (op, last) in [("FMin", least), ("FMax", most)] {
            let (left, seen) = turns(elem, types, &convert, &format!("OpAtomic{op}EXT {elem} %p %c1 %c0 %n"), start);
            assert_eq!(
                (left, seen[0], seen[5]),
                (last, start, if op == "FMin" { seen[5] } else { most }),
                "{op} {elem}"
            );
            assert_eq!(seen[1], if op == "FMin" { start } else { most }, "{op} {elem}");
        }
    }
    // An exchange moves bits.
    let (left, seen) = turns(
        "%double",
        types,
        "%k = OpConvertUToF %double %lane\n%n = OpFNegate %double %k\n",
        "OpAtomicExchange %double %p %c1 %c0 %n",
        7,
    );
    assert_eq!(
        (left, seen),
        (
            (-5f64).to_bits(),
            [7, (-0f64).to_bits(), (-1f64).to_bits(), (-2f64).to_bits(), (-3f64).to_bits(), (-4f64).to_bits()].to_vec()
        )
    );
}

/// The first invocation that tests a flag finds it clear.
#[test]
fn flags_are_set_once() {
    let types = "%bool = OpTypeBool\n%ten = OpConstant %uint 10\n%two = OpConstant %uint 2\n";
    let convert = "%flag = OpAccessChain %p0 %b0 %c0 %c1\n%was = OpAtomicFlagTestAndSet %bool %flag %c1 %c0\n\
                   %n = OpSelect %uint %was %two %ten\n";
    let (left, seen) = turns("%uint", types, convert, "OpAtomicIAdd %uint %p %c1 %c0 %n", 0);
    assert_eq!((left, seen), (20, vec![0, 10, 12, 14, 16, 18]));
    let clear = "%flag = OpAccessChain %p0 %b0 %c0 %c1\n%n = OpCopyObject %uint %c2\nOpAtomicFlagClear %flag %c1 %c0\n";
    assert_eq!(turns("%uint", types, clear, "OpAtomicLoad %uint %flag %c1 %c0", 1 << 32).1, [0; 6]);
}

/// Numbers of 64 bits in shared memory, and in variables of an invocation that is a workgroup.
#[test]
fn longs_are_changed_in_shared_memory() {
    for lanes in [6, 1] {
        let types = format!(
            "%long = OpTypeInt 64 0\n%pl = OpTypePointer Workgroup %long\n%x = OpVariable %pl Workgroup\n\
             %large = OpConstant %long 4294967295\n%c264 = OpConstant %uint 264\n{}",
            declared(0, "%long")
        );
        let body = "%none = OpUConvert %long %c0\nOpStore %x %none\nOpControlBarrier %c2 %c2 %c264\n\
                    %old = OpAtomicIAdd %long %x %c2 %c0 %large\nOpControlBarrier %c2 %c2 %c264\n\
                    %sum = OpLoad %long %x\n%both = OpBitwiseXor %long %sum %old\n\
                    %to = OpAccessChain %p0 %b0 %c0 %lane\nOpStore %to %both\n";
        let left = run(&kernel(lanes, &decorated(0, 0, 8), &types, body), vec![vec![0; 12]]);
        let sum = u64::from(lanes) * 0xffff_ffff;
        let expected: Vec<u64> = (0..u64::from(lanes)).map(|n| sum ^ (n * 0xffff_ffff)).collect();
        let found: Vec<u64> = left[0].chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect();
        assert_eq!(found[..lanes as usize], expected);
    }
}
