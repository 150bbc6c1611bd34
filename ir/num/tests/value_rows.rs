//! Special values as the documents of each model give them, one row per fact; lane by lane and as rows of lanes.

use parallax_num::{Model, Op, Slot, Storage, eval};

/// Model and slot, then lines of `op operands = result`, words in hexadecimal.
const ROWS: &[(&str, &str, &str)] = &[
    // IEEE 754 with x86's NaN.
    (
        "ieee",
        "fp32",
        "
        add 7f800000 ff800000 = ffc00000
        add ff800001 7f800001 = ffc00001
        add 3f800000 7f812345 = 7fc12345
        mul 00000000 7f800000 = ffc00000
        mul 80000000 3f800000 = 80000000
        fma 00000000 7f800000 7fc00007 = 7fc00007
        fma 3f800000 3f800000 bf800000 = 00000000
        sub 00000000 00000000 = 00000000
        add 80000000 80000000 = 80000000
        min 7fc00000 3f800000 = 3f800000
        min 7f800001 7fc00002 = 7fc00001
        min 80000000 00000000 = 80000000
        max 80000000 00000000 = 00000000
        max 00000000 80000000 = 00000000
        div 00000000 80000000 = ffc00000
        div 3f800000 80000000 = ff800000
        sqrt 80000000 = 80000000
        sqrt bf800000 = ffc00000
        rcp 80000000 = ff800000
        rcp ff800000 = 80000000
        rsq 80000000 = ff800000
        rsq bf800000 = ffc00000
        rsq 7f800000 = 00000000
        exp2 ff800000 = 00000000
        exp2 80000000 = 3f800000
        exp2 43000000 = 7f800000
        exp2 c3150000 = 00000001
        exp2 c3160000 = 00000000
        exp2 c315ffff = 00000001
        log2 3f800000 = 00000000
        log2 80000000 = ff800000
        log2 bf800000 = ffc00000
        log2 00000001 = c3150000
        log2 7f800000 = 7f800000
        sin 80000000 = 80000000
        sin 7f800000 = ffc00000
        cos 00000000 = 3f800000
        cos ff800000 = ffc00000
        pow 7fc00000 00000000 = 3f800000
        pow 3f800000 7fc00000 = 3f800000
        pow bf800000 7f800000 = 3f800000
        pow c0000000 40400000 = c1000000
        pow c0000000 3f000000 = ffc00000
        pow 80000000 c0400000 = ff800000
        pow 80000000 c0000000 = 7f800000
        pow ff800000 40400000 = ff800000
        pow ff800000 c0400000 = 80000000
        pow 3f000000 ff800000 = 7f800000
        pow 40000000 ff800000 = 00000000
        pow 00000000 7fc00001 = 7fc00001
        floor bf000000 = bf800000
        ceil bf000000 = 80000000
        trunc bf000000 = 80000000
        rint 3f000000 = 00000000
        rint 3fc00000 = 40000000
        frac 7f800000 = ffc00000
        frac 80000001 = 3f800000
        frac 80000000 = 00000000
        sign 7fc00000 = 00000000
        sign 80000000 = 00000000
        sign c2c80000 = bf800000
        neg 7f800001 = ff800001
        abs ff800001 = 7f800001
        feq 80000000 00000000 = 1
        feq 7fc00000 7fc00000 = 0
        fne 7fc00000 7fc00000 = 1
        fge 7fc00000 00000000 = 0
        funo 7fc00000 00000000 = 1
        cc.of 80000000 = 1
        cc.of ffc00000 = 3
        cc.of 80000001 = 0
        exp2.floor 3fc00000 = 40000000
        exp2.floor bf000000 = 3f000000
        exp2.floor ff800000 = 00000000
        exp2.floor c3150000 = 00000001
        log.exp 00000000 = ff800000
        log.exp 40a00000 = 40000000
        log.exp 80000001 = c3150000
        log.mant c0a00000 = 3fa00000
        log.mant 00000003 = 3fc00000
        f2i.trunc 7fc00000 = 0
        f2i.trunc ff800000 = 80000000
        f2i.trunc 4f000000 = 7fffffff
        f2u.trunc bf800000 = 0
        f2u.trunc 4f800000 = ffffffff
        f2i.rint 40200000 = 2
        f2i.floor bf000000 = ffffffff
        f2i.ceil 3f000001 = 1
        i2f ffffffff = bf800000
        u2f ffffffff = 4f800000
        pack.half2 3f800000 477ff000 = 7c003c00
        pack.half2 33000000 33000001 = 10000
        pack.unorm2x16 3f000000 7fc00000 = 8000
        pack.biased4x8 bf800000 00000000 3f800000 7fc00000 = 80ff8001
        pack.biased4x8 c0000000 7f800000 ff800000 bf810204 = ff00
        pack.unorm4x8 3f800000 bf800000 3f000000 40000000 = ff8000ff
        pack.snorm4x8 bf800000 3f800000 c0000000 3f000000 = 40817f81
        unpack.half 3c00 = 3f800000
        unpack.half fc01 = ffc02000
        unpack.half 1 = 33800000
        unpack.unorm16 ffff = 3f800000
        unpack.unorm16 1 = 37800080
        unpack.biased8 0 = bf810204
        unpack.biased8 80 = 0
        unpack.unorm8 1 = 3b808081
        unpack.snorm8 80 = bf800000
        unpack.snorm8 81 = bf800000
        unpack.snorm8 1 = 3c010204
        bits.of 7f800001 = 7f800001
        bits.to ff800001 = ff800001
        lit.y bf800000 = 0
        lit.y 7fc00000 = 0
    ",
    ),
    (
        "ieee",
        "fp32.sat",
        "
        add 7fc00000 3f800000 = 0
        add 80000000 80000000 = 80000000
        add 3f800000 3f800000 = 3f800000
        add bf800000 00000000 = 0
    ",
    ),
    (
        "ieee",
        "half",
        "
        add 7bff 0001 = 7bff
        add 7bff 4c00 = 7c00
        mul 0001 3800 = 0000
        mul 0003 3800 = 0002
        fma 3c01 3c01 8000 = 3c02
        exp2 cc00 = 0100
        exp2 ce00 = 0001
        rcp 0001 = 7c00
    ",
    ),
    (
        "ieee",
        "fx12",
        "
        add 7ff 1 = 7ff
        sub fffff800 1 = fffff800
        mul 600 600 = 7ff
        mul 1 200 = 0
        mul 3 200 = 2
        neg fffff800 = 7ff
        abs fffff800 = 7ff
        rcp 0 = 7ff
        rcp 200 = 7ff
        rcp fffffc00 = fffffc00
        sqrt fffffc00 = 0
        exp2 0 = 400
        floor ffffffff = fffffc00
    ",
    ),
    // Exact wide intermediates: 1.5 * 1.5 - 1.5 * 1.5 is 0, and only the end clamps.
    (
        "nv-patent",
        "fx12",
        "
        mad 600 600 fffff800 = 100
        dot2 600 600 600 fffffa00 = 0
        dot3 600 600 600 600 fffffa00 0 = 0
    ",
    ),
    (
        "nv-patent",
        "fp32",
        "
        mul 00000000 7f800000 = 0
        mul 7fc00000 80000000 = 0
        mul 80000000 3f800000 = 0
        mad 00000000 7fc00000 3f800000 = 3f800000
        dot3 0 3f800000 0 7fc00000 40000000 7f800000 = 40000000
        mul 3f800000 7fc00001 = 7fc00001
        mul 40000000 7fc00001 = 7fc00001
        add 00000000 7fc00001 = 7fc00001
        add 7f800000 ff800000 = ffc00000
        flt 7fc00000 3f800000 = 0
        flt ffc00000 3f800000 = 1
        fgt 7fc00000 3f800000 = 1
        feq 7fc00000 7f800000 = 1
        cc.of 7fc00000 = 2
        cc.of ffc00000 = 0
        min 7fc00000 3f800000 = 3f800000
        max 7fc00000 3f800000 = 7fc00000
        min 80000000 00000000 = 0
        max 80000000 00000000 = 80000000
        rsq c0800000 = 3f000000
        rsq 80000000 = 7f800000
        rsq 00000001 = 7f800000
        rcp 00000001 = 7f800000
        rcp 3f800000 = 3f800000
        log2 c0800000 = 40000000
        log2.part c0800000 = 40000000
        log.exp 00000000 = ff800000
        log.mant 00000000 = 3f800000
        add 00000001 00000001 = 0
        add 807fffff 80000000 = 80000000
        mul 00800000 3f000000 = 0
        lit.z 3f800000 00000000 00000000 = 3f800000
        lit.z bf800000 40000000 40000000 = 0
        lit.z 3f800000 40000000 43480000 = 7f7f4ecb
        pack.biased4x8 3f7fffff 0 0 0 = 808080fe
        fne 80000000 00000000 = 0
    ",
    ),
    (
        "nv-patent",
        "half",
        "
        add 0001 0001 = 0
        mul 0400 3800 = 0
        add 7bff 7bff = 7c00
    ",
    ),
    (
        "nvfp",
        "fp32",
        "
        mul 00000000 7f800000 = ffc00000
        mul 00000000 7fc00001 = 7fc00001
        mul 80000000 3f800000 = 80000000
        add 80000000 80000000 = 80000000
        rsq bf800000 = ffc00000
        rsq 80000000 = ff800000
        log2 bf800000 = ffc00000
        log2 00000000 = ff800000
        exp2 00000000 = 3f800000
        exp2 ff800000 = 0
        min 7fc00000 3f800000 = 7fc00000
        max 3f800000 7fc00000 = 7fc00000
        flt 7fc00000 3f800000 = 0
        fne 7fc00000 7fc00000 = 1
        fne 80000000 00000000 = 0
        cc.of 7fc00000 = 3
        cc.of 00000001 = 1
        lit.z 3f800000 00000000 00000000 = ffc00000
        lit.z 3f800000 40000000 43000000 = 7f800000
        pack.half2 33800000 0 = 1
        unpack.half 1 = 33800000
        sin 80000000 = 80000000
        cos 80000000 = 3f800000
        sin 7f800000 = ffc00000
    ",
    ),
    (
        "nvfp",
        "fp32.sat",
        "
        add 7fc00001 00000000 = 7fc00001
        add 80000000 80000000 = 80000000
    ",
    ),
    (
        "nvfp",
        "half",
        "
        add 0001 0001 = 0002
        mul 0001 3800 = 0
    ",
    ),
    (
        "nv-arb",
        "fp32",
        "
        min 7fc00000 3f800000 = 7fc00000
        min 3f800000 7fc00000 = 3f800000
        max 7fc00000 3f800000 = 3f800000
        max 3f800000 7fc00000 = 7fc00000
        rsq c0800000 = 3f000000
        lit.z 3f800000 00000000 00000000 = 3f800000
    ",
    ),
    (
        "nv40",
        "fp32.sat",
        "
        add 7fc00000 3f800000 = 0
        add 40000000 3f800000 = 3f800000
    ",
    ),
    (
        "nv40",
        "fp32",
        "
        rsq bf800000 = 3f800000
        rsq 80000000 = 7f800000
        rcp 00000000 = 7f800000
        log2 bf800000 = ffc00000
    ",
    ),
    (
        "nv40",
        "fx9",
        "
        add 80 80 = ff
        add ffffff80 ffffff00 = ffffff00
        mul ffffff00 ffffff00 = ff
    ",
    ),
    (
        "attila",
        "fp32",
        "
        max 7fc00000 3f800000 = 3f800000
        max 3f800000 7fc00001 = 7fc00001
        min 7fc00000 3f800000 = 3f800000
        min 80000000 00000000 = 0
        max 00000000 80000000 = 80000000
        frac 7f800000 = ffc00000
        frac 80000001 = 3f800000
        f2i.floor 7fc00000 = 80000000
        f2i.floor 4f000000 = 80000000
        f2i.floor cf000000 = 80000000
        rcp 00000000 = 7f800000
        rcp 80000000 = ff800000
        rcp 7f800000 = 0
        rcp ff800000 = 80000000
        rcp 00000001 = 7f800000
        rsq 00000000 = 7f800000
        rsq 80000000 = ffc00000
        rsq 7f800000 = 0
        rsq c0800000 = 3f000000
        exp2 43000000 = 7f800000
        exp2 c3150000 = 00000001
        log2 00000000 = ff800000
        log2 80000000 = ff800000
        log2 bf800000 = ffc00000
        log2 7f800000 = 7f800000
        log2 00000001 = c3150000
        lit.y 7fc00001 = 7fc00001
        lit.y 80000000 = 80000000
        lit.z 7fc00000 3f800000 3f800000 = 0
        lit.z 3f800000 40000000 7fc00000 = 7f800000
        lit.z 3f800000 3f000000 7fc00000 = 00200000
        lit.z 3f800000 00000000 00000000 = 3f800000
        lit.z 3f800000 00000000 bf800000 = 7f800000
        lit.z 3f800000 3f000000 43480000 = 00200000
        add 00000001 00000001 = 00000002
        mad 3f800001 3f800001 bf800002 = 0
        flt 7fc00000 3f800000 = 0
    ",
    ),
    (
        "attila",
        "fp32.sat",
        "
        add 7fc00000 3f800000 = 3f800000
        add 80000000 80000000 = 80000000
        add 40000000 3f800000 = 3f800000
        add c0000000 3f800000 = 0
    ",
    ),
    (
        "tgsi",
        "fp32",
        "
        mad 3f800001 3f800001 bf800002 = 0
        min 7fc00000 3f800000 = 3f800000
        max 3f800000 7fc00000 = 3f800000
        fne 7fc00000 3f800000 = 1
        feq 7fc00000 3f800000 = 0
        rsq 00000000 = 7f800000
        rsq 80000000 = ff800000
        rsq bf800000 = ffc00000
        pow 7fc00000 00000000 = 3f800000
        pow 3f800000 7fc00000 = 3f800000
        rint 3f000000 = 0
        rint 40200000 = 40000000
        frac 7f800000 = ffc00000
        frac 80000001 = 3f800000
        lit.y 7fc00000 = 0
        lit.z 7fc00000 3f800000 3f800000 = 0
        lit.z 3f800000 00000000 00000000 = 3f800000
        f2i.trunc 4f000000 = 80000000
        f2i.trunc 7fc00000 = 80000000
        f2u.trunc 4f800000 = 0
        f2u.trunc bf800000 = ffffffff
        f2u.trunc 7f800000 = 0
        sign 80000000 = 0
        sign 7fc00000 = 0
        lrp 3f000000 40000000 40800000 = 40400000
        mul 00000000 7f800000 = ffc00000
        pack.half2 477ff000 7f800000 = 7c007c00
    ",
    ),
    (
        "tgsi",
        "fp32.sat",
        "
        add 7fc00000 3f800000 = 0
    ",
    ),
    (
        "tgsi-mul-zero-wins",
        "fp32",
        "
        mul 00000000 7f800000 = 0
        mul 7fc00000 00000000 = 0
        mad 00000000 7fc00000 3f800000 = 3f800000
    ",
    ),
    (
        "maxwell",
        "fp32",
        "
        add 7f800000 ff800000 = 7fffffff
        add ffc00001 3f800000 = 7fffffff
        min 7fc00000 3f800000 = 3f800000
        min 7fc00000 ffc00000 = 7fffffff
        min 80000000 00000000 = 80000000
        max 80000000 00000000 = 0
        rcp 80000000 = ff800000
        rcp ff800000 = 80000000
        rsq 80000000 = ff800000
        rsq bf800000 = 7fffffff
        log2 80000000 = ff800000
        log2 bf800000 = 7fffffff
        exp2 ff800000 = 0
        sin 7f800000 = 7fffffff
        f2i.trunc 7fc00000 = 0
        f2i.trunc 4f000000 = 7fffffff
        f2u.trunc bf800000 = 0
        add 00000001 00000001 = 00000002
        fma 3f800001 3f800001 bf800002 = 28800000
    ",
    ),
    (
        "maxwell",
        "fp32.ftz",
        "
        add 00000001 3f800000 = 3f800000
        add 00000001 00000001 = 0
        mul 00800000 bf000000 = 80000000
        mul 00000000 7f800000 = 7fffffff
    ",
    ),
    (
        "maxwell",
        "fp32.ftz.fmz",
        "
        mul 00000000 7f800000 = 0
        mul 80000000 3f800000 = 0
        mul 00000001 7f800000 = 0
    ",
    ),
    (
        "maxwell",
        "fp32.sat",
        "
        add 7fc00000 3f800000 = 0
    ",
    ),
    (
        "rogue",
        "fp32",
        "
        rcp 80000000 = ff800000
        rcp 7f800000 = 0
        rcp ff800000 = 80000000
        rcp 3f800000 = 3f800000
        rcp bf800000 = bf800000
        rsq 00000000 = 7f800000
        rsq 80000000 = ff800000
        rsq 7f800000 = 0
        rsq 3f800000 = 3f800000
        log2 00000000 = ff800000
        log2 80000000 = ff800000
        log2 3f800000 = 0
        log2 7f800000 = 7f800000
        exp2 00000000 = 3f800000
        exp2 80000000 = 3f800000
        exp2 7f800000 = 7f800000
        fne 7fc00000 3f800000 = 0
        add 00000001 00000001 = 0
    ",
    ),
];

#[test]
fn every_documented_row() {
    let mut wrong = Vec::new();
    for (name, slot_text, rows) in ROWS {
        let model = Model::builtin(name).unwrap_or_else(|| panic!("{name}"));
        let slot = Slot::parse(slot_text).unwrap_or_else(|| panic!("{slot_text}"));
        for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
            let (call, want) = row.split_once(" = ").unwrap_or_else(|| panic!("{row}"));
            let mut words = call.split(' ');
            let op = words.next().and_then(Op::from_name).unwrap_or_else(|| panic!("{row}"));
            let parse = |w: &str| u64::from_str_radix(w, 16).unwrap_or_else(|_| panic!("{row}"));
            let args: Vec<u64> = words.map(parse).collect();
            assert_eq!(args.len(), op.info().args.len(), "{row}");
            let (rule, _) = model.rule(op, &slot, Storage::F32);
            let got = eval(op, &rule, &args);
            if got != parse(want) {
                wrong.push(format!("{name} {slot_text}: {row}, got {got:x}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Conversions depend on the source's container, so they have rows of their own: source, model, slot, word, result.
const CONVERSIONS: &[(Storage, &str, &str, u64, u64)] = &[
    (Storage::F32, "nv-patent", "fx12", 0x7fc0_0000, 0x7ff),
    (Storage::F32, "nv-patent", "fx12", 0xffc0_0000, 0xffff_f800),
    (Storage::F32, "nv-patent", "fx12", 0x7f80_0000, 0x7ff),
    (Storage::F32, "nvfp", "fx12", 0x7fc0_0000, 0),
    (Storage::F32, "nvfp", "fx12", 0xff80_0000, 0xffff_f800),
    (Storage::F32, "nvfp", "fx12", 0x8000_0000, 0),
    // 65519.996 is the last number that does not become infinity.
    (Storage::F32, "nvfp", "half", 0x477f_efff, 0x7bff),
    (Storage::F32, "nvfp", "half", 0x477f_f000, 0x7c00),
    (Storage::F32, "nvfp", "half", 0x3380_0000, 1),
    (Storage::F32, "nvfp", "half", 0x3300_0000, 0),
    (Storage::F32, "nv-patent", "half", 0x3380_0000, 0),
    (Storage::F32, "nv-patent", "half", 0xb880_0000, 0x8400),
    (Storage::F32, "nvfp", "half", 0x7f80_2000, 0x7e01),
    (Storage::F16, "ieee", "fp32", 0x7c01, 0x7fc0_2000),
    (Storage::F16, "ieee", "fp32", 0x0001, 0x3380_0000),
    (Storage::F32, "maxwell", "fp32.ftz", 0x0000_0001, 0),
    (Storage::F64, "ieee", "fp32", 0x7ff0_0000_0000_0001, 0x7fc0_0000),
];

#[test]
fn every_documented_conversion() {
    for &(source, name, slot, word, want) in CONVERSIONS {
        let model = Model::builtin(name).unwrap_or_else(|| panic!("{name}"));
        let slot_record = Slot::parse(slot).unwrap_or_else(|| panic!("{slot}"));
        let (rule, _) = model.rule(Op::Cvt, &slot_record, source);
        let got = eval(Op::Cvt, &rule, &[word]);
        assert_eq!(got, want, "{name} {slot} from {source:?} of {word:x}: got {got:x}, want {want:x}");
    }
}
