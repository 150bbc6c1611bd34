//! What each executed opcode computes.

use super::*;

/// Runs one instruction that reads IN[0] to IN[3] and writes OUT[0]; all lanes the same.
fn one(inst: &str, ins: &[Vec4]) -> Vec4 {
    one_with("", inst, ins)
}

fn one_with(declarations: &str, body: &str, ins: &[Vec4]) -> Vec4 {
    let inputs = ins.iter().map(|&v| [v; 4]).collect();
    let answer = run(&around(declarations, body), &Case { inputs, ..Case::default() });
    assert!(answer.outs[0].iter().all(|lane| *lane == answer.outs[0][0]), "{body}");
    answer.outs[0][0]
}

fn check(inst: &str, ins: &[Vec4], expected: Vec4) {
    let found = one(inst, ins);
    assert_eq!(found.map(|w| format!("{w:08x}")), expected.map(|w| format!("{w:08x}")), "{inst} of {ins:08x?}");
}

/// The binary opcode on IN[0] and IN[1].
fn two(op: &str, a: Vec4, b: Vec4, expected: Vec4) {
    check(&format!("{op} OUT[0], IN[0], IN[1]"), &[a, b], expected);
}

fn unary(op: &str, a: Vec4, expected: Vec4) {
    check(&format!("{op} OUT[0], IN[0]"), &[a], expected);
}

fn three(op: &str, a: Vec4, b: Vec4, c: Vec4, expected: Vec4) {
    check(&format!("{op} OUT[0], IN[0], IN[1], IN[2]"), &[a, b, c], expected);
}

#[test]
fn float_arithmetic() {
    let (a, b) = (fs([1.5, -2.0, 0.1, 3.0e38]), fs([2.25, 0.5, 0.2, 3.0e38]));
    two("ADD", a, b, fs([3.75, -1.5, 0.1 + 0.2, f32::INFINITY]));
    two("MUL", a, b, fs([3.375, -1.0, 0.1 * 0.2, f32::INFINITY]));
    two("DIV", a, b, fs([1.5 / 2.25, -4.0, 0.1 / 0.2, 1.0]));
    two("MIN", a, b, fs([1.5, -2.0, 0.1, 3.0e38]));
    two("MAX", a, b, fs([2.25, 0.5, 0.2, 3.0e38]));
    three("MAD", a, b, fs([1.0, 1.0, -0.02, 0.0]), fs([4.375, 0.0, 0.1 * 0.2 - 0.02, f32::INFINITY]));
    three("FMA", a, b, fs([1.0, 1.0, -0.02, 0.0]), fs([4.375, 0.0, 0.1f32.mul_add(0.2, -0.02), f32::INFINITY]));
    two("LDEXP", fs([1.5, -1.0, 1.0, 3.0]), [3, ALL, 200, (-150i32) as u32], [f(12.0), f(-0.5), INF, 2]);
    three("LRP", fs([0.25, 0.5, 0.0, 1.0]), fs([8.0; 4]), fs([4.0; 4]), fs([5.0, 6.0, 4.0, 8.0]));
    two("DP2", fs([1.0, 2.0, 3.0, 4.0]), fs([10.0, 100.0, 1000.0, 10000.0]), fs([210.0; 4]));
    two("DP3", fs([1.0, 2.0, 3.0, 4.0]), fs([10.0, 100.0, 1000.0, 10000.0]), fs([3210.0; 4]));
    two("DP4", fs([1.0, 2.0, 3.0, 4.0]), fs([10.0, 100.0, 1000.0, 10000.0]), fs([43210.0; 4]));
    two("DST", fs([9.0, 2.0, 7.0, 9.0]), fs([9.0, 3.0, 9.0, 5.0]), fs([1.0, 6.0, 7.0, 5.0]));
    two(
        "MUL",
        [0, f(1e-40), NAN, INF],
        [INF, ONE, ONE, f(-1.0)],
        [one("MUL OUT[0], IN[0], IN[1]", &[[0; 4], [INF; 4]])[0], f(1e-40), NAN, NEG_INF],
    );
}

#[test]
fn shapes_and_scalars() {
    let a = fs([1.5, -1.5, 2.5, -0.25]);
    unary("FLR", a, fs([1.0, -2.0, 2.0, -1.0]));
    unary("CEIL", a, fs([2.0, -1.0, 3.0, -0.0]));
    unary("TRUNC", a, fs([1.0, -1.0, 2.0, -0.0]));
    unary("ROUND", a, fs([2.0, -2.0, 2.0, -0.0]));
    unary("FRC", a, fs([0.5, 0.5, 0.5, 0.75]));
    unary("SSG", [f(7.0), f(-0.5), NEG_ZERO, NAN], [ONE, f(-1.0), 0, 0]);
    unary("RCP", fs([4.0, 1.0, 1.0, 1.0]), fs([0.25; 4]));
    unary("RSQ", fs([4.0, 1.0, 1.0, 1.0]), fs([0.5; 4]));
    unary("RSQ", [0; 4], [INF; 4]);
    unary("RSQ", [NEG_ZERO; 4], [NEG_INF; 4]);
    unary("SQRT", fs([6.25, 1.0, 1.0, 1.0]), fs([2.5; 4]));
    unary("EX2", fs([-3.0, 1.0, 1.0, 1.0]), fs([0.125; 4]));
    unary("LG2", fs([1024.0, 1.0, 1.0, 1.0]), fs([10.0; 4]));
    unary("COS", [0; 4], [ONE; 4]);
    unary("SIN", [0; 4], [0; 4]);
    two("POW", fs([3.0, 0.0, 0.0, 0.0]), fs([4.0, 0.0, 0.0, 0.0]), fs([81.0; 4]));
    two("POW", [NAN; 4], [0; 4], [ONE; 4]);
    check("RCP OUT[0].yw, -|IN[0].zzzz|", &[fs([0.0, 0.0, 2.0, 0.0])], fs([0.0, -0.5, 0.0, -0.5]));
}

#[test]
fn vectors_with_a_role_per_component() {
    unary("LIT", fs([2.0, 3.0, 9.0, 2.0]), fs([1.0, 2.0, 9.0, 1.0]));
    unary("LIT", fs([-2.0, 3.0, 9.0, 2.0]), fs([1.0, 0.0, 0.0, 1.0]));
    unary("LIT", fs([1.0, 0.0, 0.0, 0.0]), fs([1.0, 1.0, 1.0, 1.0]));
    unary("EXP", fs([2.5, 0.0, 0.0, 0.0]), fs([4.0, 0.5, 5.656_854, 1.0]));
    check("LOG OUT[0].xyw, IN[0]", &[fs([-12.0, 0.0, 0.0, 0.0])], fs([3.0, 1.5, 0.0, 1.0]));
    // The logarithm itself is the model's.
    let z = one("LOG OUT[0].z, IN[0]", &[fs([-12.0, 0.0, 0.0, 0.0])])[2];
    assert!(z.abs_diff(f(3.584_962_5)) <= 1, "{z:08x}");
    unary("LOG_SAT", fs([-12.0, 0.0, 0.0, 0.0]), fs([1.0; 4]));
    check(
        "DST_SAT OUT[0], IN[0], IN[1]",
        &[fs([0.0, 2.0, 7.0, 0.0]), fs([0.0, 3.0, 0.0, -5.0])],
        fs([1.0, 1.0, 1.0, 0.0]),
    );
}

#[test]
fn comparisons() {
    let (a, b) = ([f(1.0), f(2.0), NEG_ZERO, NAN], [f(2.0), f(2.0), 0, NAN]);
    for (op, expected) in [
        ("LT", [1, 0, 0, 0]),
        ("GE", [0, 1, 1, 0]),
        ("EQ", [0, 1, 1, 0]),
        ("NE", [1, 0, 0, 1]),
        ("GT", [0, 0, 0, 0]),
        ("LE", [1, 1, 1, 0]),
    ] {
        two(&format!("S{op}"), a, b, expected.map(|e| e * ONE));
        two(&format!("S{op}_SAT"), a, b, expected.map(|e| e * ONE));
        if !matches!(op, "GT" | "LE") {
            two(&format!("FS{op}"), a, b, expected.map(|e: u32| e.wrapping_neg()));
            // The float view of all ones is NaN, which the clamp makes 0.
            two(&format!("FS{op}_SAT"), a, b, [0; 4]);
        }
    }
    let (a, b) = ([1, ALL, 5, 0x8000_0000], [2, 1, 5, 0x7FFF_FFFF]);
    two("ISLT", a, b, [ALL, ALL, 0, ALL]);
    two("USLT", a, b, [ALL, 0, 0, 0]);
    two("ISGE", a, b, [0, 0, ALL, 0]);
    two("USGE", a, b, [0, ALL, ALL, ALL]);
    two("USEQ", a, b, [0, 0, ALL, 0]);
    two("USNE", a, b, [ALL, ALL, 0, ALL]);
    let (yes, no) = ([1, 2, 3, 4], [5, 6, 7, 8]);
    three("CMP", [f(-1.0), NEG_ZERO, NAN, NEG_INF], yes, no, [1, 6, 7, 4]);
    three("UCMP", [0, NEG_ZERO, NAN, 1], yes, no, [5, 2, 3, 4]);
    // Modifiers of the chosen sources work on the sign bit, of the condition on the integer.
    check(
        "UCMP OUT[0], -IN[0], -IN[1], |IN[2]|",
        &[[0, 1, 0, 1], [1, 2, 3, NAN], [0x8000_0005, 6, NEG_ZERO, 8]],
        [5, 0x8000_0002, 0, 0xFFC0_0000],
    );
}

#[test]
fn moves_and_modifiers() {
    // Bits are moved, signalling NaN and denormals included.
    let odd = [0x7F80_0001, 0x8000_0001, 0xFFFF_FFFF, 0x0000_1234];
    unary("MOV", odd, odd);
    check("MOV OUT[0], -IN[0]", &[odd], odd.map(|w| w ^ NEG_ZERO));
    check("MOV OUT[0], |IN[0]|", &[odd], odd.map(|w| w & !NEG_ZERO));
    check("MOV OUT[0], -|IN[0].wzyx|", &[odd], [0x8000_1234, 0xFFFF_FFFF, 0x8000_0001, 0xFF80_0001]);
    unary("MOV_SAT", [f(2.0), f(-1.0), NAN, f(0.25)], [ONE, 0, 0, f(0.25)]);
    check("UADD OUT[0], -IN[0], IN[1]", &[[1, 2, 3, 0x8000_0000], [10; 4]], [9, 8, 7, 0x8000_000A]);
    check("ADD OUT[0], -|IN[0]|, IN[1]", &[fs([1.0, -2.0, 3.0, -4.0]), fs([0.5; 4])], fs([-0.5, -1.5, -2.5, -3.5]));
    check("ADD_SAT OUT[0], IN[0], IN[1]", &[fs([1.0, -2.0, 0.25, 0.0]), fs([0.5; 4])], fs([1.0, 0.0, 0.75, 0.5]));
    // `_PRECISE` keeps the product's rounding.
    check(
        "MAD_PRECISE OUT[0], IN[0], IN[1], IN[2]",
        &[fs([0.1; 4]), fs([0.2; 4]), fs([-0.02; 4])],
        fs([0.1 * 0.2 - 0.02; 4]),
    );
    // All sources are read before anything is written.
    assert_eq!(
        one_with("", "MOV TEMP[0], IN[0]\nMOV TEMP[0].xyz, TEMP[0].yzxw\nMOV OUT[0], TEMP[0]", &[[1, 2, 3, 4]]),
        [2, 3, 1, 4]
    );
    // NULL takes everything.
    assert_eq!(one_with("", "MOV OUT[0], IN[0]\nADD NULL[0], IN[0], IN[0]", &[[1, 2, 3, 4]]), [1, 2, 3, 4]);
    // Masks leave the other components alone; OUT can be read; everything starts as 0.
    assert_eq!(one_with("", "MOV OUT[0].xz, IN[0]\nMOV OUT[0].w, OUT[0].xxxx", &[[1, 2, 3, 4]]), [1, 0, 3, 1]);
}

#[test]
fn integers() {
    let (a, b) = ([7, ALL, 0x8000_0000, 0x1234_5678], [3, 2, ALL, 0]);
    two("UADD", a, b, [10, 1, 0x7FFF_FFFF, 0x1234_5678]);
    two("UMUL", a, b, [21, 0xFFFF_FFFE, 0x8000_0000, 0]);
    two("IMUL_HI", a, b, [0, ALL, 0, 0]);
    two("UMUL_HI", a, b, [0, 1, 0x7FFF_FFFF, 0]);
    two("IDIV", a, b, [2, 0, 0x8000_0000, 0]);
    two("MOD", a, b, [1, ALL, 0, ALL]);
    two("UDIV", a, b, [2, 0x7FFF_FFFF, 0, ALL]);
    two("UMOD", a, b, [1, 1, 0x8000_0000, ALL]);
    two("AND", a, b, [3, 2, 0x8000_0000, 0]);
    two("OR", a, b, [7, ALL, ALL, 0x1234_5678]);
    two("XOR", a, b, [4, 0xFFFF_FFFD, 0x7FFF_FFFF, 0x1234_5678]);
    two("IMAX", a, b, [7, 2, ALL, 0x1234_5678]);
    two("UMAX", a, b, [7, ALL, ALL, 0x1234_5678]);
    two("IMIN", a, b, [3, ALL, 0x8000_0000, 0]);
    two("UMIN", a, b, [3, 2, 0x8000_0000, 0]);
    two("SHL", a, [1, 33, 0, 31], [14, 0xFFFF_FFFE, 0x8000_0000, 0]);
    two("ISHR", a, [1, 33, 4, 4], [3, ALL, 0xF800_0000, 0x0123_4567]);
    two("USHR", a, [1, 33, 4, 4], [3, 0x7FFF_FFFF, 0x0800_0000, 0x0123_4567]);
    three("UMAD", a, b, [1, 2, 3, 4], [22, 0, 0x8000_0003, 4]);
    unary("NOT", a, [0xFFFF_FFF8, 0, 0x7FFF_FFFF, 0xEDCB_A987]);
    unary("INEG", a, [0xFFFF_FFF9, 1, 0x8000_0000, 0xEDCB_A988]);
    unary("IABS", a, [7, 1, 0x8000_0000, 0x1234_5678]);
    unary("ISSG", [7, ALL, 0, 0x8000_0000], [1, ALL, 0, ALL]);
    unary("BREV", [1, 0x8000_0000, 0xF0, ALL], [0x8000_0000, 1, 0x0F00_0000, ALL]);
    unary("POPC", [0, 1, 0xF0F0, ALL], [0, 1, 8, 32]);
    unary("LSB", [0, 1, 0xF0, 0x8000_0000], [ALL, 0, 4, 31]);
    unary("UMSB", [0, 1, 0xF0, 0x8000_0000], [ALL, 0, 7, 31]);
    unary("IMSB", [0, ALL, 0xF0, 0x8000_0000], [ALL, ALL, 7, 30]);
    let word = [0xDEAD_BEEF; 4];
    three("UBFE", word, [0, 4, 28, 0], [8, 8, 8, 32], [0xEF, 0xEE, 0xD, 0xDEAD_BEEF]);
    three("IBFE", word, [0, 4, 28, 0], [8, 8, 0, 32], [0xFFFF_FFEF, 0xFFFF_FFEE, 0, 0xDEAD_BEEF]);
    check(
        "BFI OUT[0], IN[0], IN[1], IN[2], IN[3]",
        &[[0; 4], word, [0, 8, 4, 0], [8, 8, 0, 32]],
        [0xEF, 0xEF00, 0, 0xDEAD_BEEF],
    );
}

#[test]
fn conversions() {
    unary("I2F", [5, ALL, 0x8000_0000, 16_777_217], fs([5.0, -1.0, -2_147_483_648.0, 16_777_216.0]));
    unary("U2F", [5, ALL, 0x8000_0000, 16_777_219], fs([5.0, 4_294_967_296.0, 2_147_483_648.0, 16_777_220.0]));
    unary("F2I", fs([1.9, -1.9, 0.0, 2_147_483_520.0]), [1, ALL, 0, 2_147_483_520]);
    unary("F2U", fs([1.9, 3e9, 0.0, 4_294_967_040.0]), [1, 3_000_000_000, 0, 4_294_967_040]);
    unary("PK2H", fs([1.0, -2.0, 9.0, 9.0]), [0xC000_3C00; 4]);
    unary("UP2H", [0xC000_3C00, 0, 0, 0], fs([1.0, -2.0, 1.0, -2.0]));
    unary("PK2US", fs([1.0, 0.0, 9.0, 9.0]), [0x0000_FFFF; 4]);
    unary("UP2US", [0xFFFF_0000, 0, 0, 0], fs([0.0, 1.0, 0.0, 1.0]));
    unary("PK4UB", fs([1.0, 0.0, 2.0, -1.0]), [0x00FF_00FF; 4]);
    unary("UP4UB", [0xFF00_FF00, 0, 0, 0], fs([0.0, 1.0, 0.0, 1.0]));
    unary("PK4B", fs([1.0, 0.0, -1.0, 0.0]), [0x8001_80FF; 4]);
    unary("UP4B", [0x8001_80FF, 0, 0, 0], fs([1.0, 0.0, -1.0, 0.0]));
    let address =
        |op: &str, a: Vec4| one_with("DCL ADDR[1]", &format!("{op} ADDR[1], IN[0]\nMOV OUT[0], ADDR[1]"), &[a]);
    assert_eq!(address("ARL", fs([1.9, -0.5, 2.5, -3.0])), [1, ALL, 2, 0xFFFF_FFFD]);
    assert_eq!(address("ARR", fs([1.5, -0.5, 2.5, -3.2])), [2, 0, 3, 0xFFFF_FFFD]);
    assert_eq!(address("UARL", [1, ALL, NAN, 4]), [1, ALL, NAN, 4]);
}

#[test]
fn immediates_of_every_type() {
    let imms = "IMM[0] FLT32 { 1.0, -.5, 1.5e3, 0x7fc00000 }\nIMM INT32 {-1, +7, -2147483648, 0}\n\
                IMM[2] UINT32 {4294967295, 0, 1, 2}\nIMM[3] FLT64 {1.5, -0.0}\nIMM[4] INT64 {-5, 0x10}\n\
                IMM[5] UINT64 {0x123456789a, 1}";
    let read = |n| one_with(imms, &format!("MOV OUT[0], IMM[{n}]"), &[]);
    assert_eq!(read(0), [ONE, f(-0.5), f(1500.0), NAN]);
    assert_eq!(read(1), [ALL, 7, 0x8000_0000, 0]);
    assert_eq!(read(2), [ALL, 0, 1, 2]);
    assert_eq!(read(3), [0, 0x3FF8_0000, 0, 0x8000_0000]);
    assert_eq!(read(4), [0xFFFF_FFFB, ALL, 0x10, 0]);
    assert_eq!(read(5), [0x3456_789A, 0x12, 1, 0]);
}

/// Four lanes, each with its own x.
fn lanes(xs: [u32; 4]) -> [Vec4; 4] {
    xs.map(|x| [x, 0, 0, 0])
}

#[test]
fn derivatives_and_discards() {
    let quad = lanes([f(1.0), f(2.0), f(4.0), f(8.0)]);
    let x = |body: &str| {
        let answer = run(&around("", body), &Case { inputs: vec![quad], ..Case::default() });
        answer.outs[0].map(|v| f32::from_bits(v[0]))
    };
    assert_eq!(x("DDX OUT[0], IN[0]"), [4.0; 4]);
    assert_eq!(x("DDY OUT[0], IN[0]"), [3.0; 4]);
    assert_eq!(x("DDX_FINE OUT[0], IN[0]"), [1.0, 1.0, 4.0, 4.0]);
    assert_eq!(x("DDY_FINE OUT[0], IN[0]"), [3.0, 6.0, 3.0, 6.0]);
    let alive = |body: &str, ins: [Vec4; 4]| run(&around("", body), &Case { inputs: vec![ins], ..Case::default() });
    let minus = lanes([f(-1.0), NEG_ZERO, NAN, NEG_INF]);
    let answer = alive("KILL_IF IN[0]\nMOV OUT[0], IN[0]", minus);
    assert_eq!(answer.alive, [false, true, true, false]);
    assert_eq!(answer.outs[0], minus, "execution continues in killed lanes");
    assert_eq!(alive("KILL_IF -|IN[0].yyyy|", lanes([1; 4])).alive, [true; 4]);
    assert_eq!(alive("KILL", minus).alive, [false; 4]);
    assert_eq!(alive("UIF IN[0]\nDEMOTE\nENDIF", lanes([0, 1, 0, 0])).alive, [true, false, true, true]);
}

#[test]
fn lanes_of_the_quad() {
    let x = |body: &str, xs: [u32; 4]| {
        let case = Case { inputs: vec![lanes(xs), [[3; 4]; 4]], ..Case::default() };
        run(&around("", body), &case).outs[0].map(|v| v[0])
    };
    assert_eq!(x("VOTE_ANY OUT[0].x, IN[0]", [0, 0, 5, 0]), [ALL; 4]);
    assert_eq!(x("VOTE_ALL OUT[0].x, IN[0]", [1, 0, 5, 1]), [0; 4]);
    assert_eq!(x("VOTE_EQ OUT[0].x, IN[0]", [7, 7, 7, 7]), [ALL; 4]);
    assert_eq!(x("VOTE_EQ OUT[0].x, IN[0]", [7, 7, 8, 7]), [0; 4]);
    assert_eq!(x("BALLOT OUT[0].xy, IN[0]", [1, 0, 9, 0]), [5; 4]);
    // Only running lanes count.
    let inside = "UIF IN[0]\nBALLOT OUT[0].x, IN[0]\nENDIF";
    assert_eq!(x(inside, [0, 1, 1, 0]), [0, 6, 6, 0]);
    let inside = "UIF IN[0]\nREAD_FIRST OUT[0], IN[0]\nENDIF";
    assert_eq!(x(inside, [0, 11, 12, 0]), [0, 11, 11, 0]);
    assert_eq!(x("READ_INVOC OUT[0], IN[0], IN[1]", [10, 11, 12, 13]), [13; 4]);
}

#[test]
fn lookups_ask_what_the_text_says() {
    let views = "DCL SAMP[0..3]\nDCL SVIEW[2], 2D, FLOAT\nIMM[0] INT32 {1, -2, 3, 7}";
    let ask = |body: &str| one_with(views, body, &[fs([8.0, 4.0, 2.0, 2.0]), fs([0.0, 32.0, 0.0, 0.0]), [5, 6, 7, 0]]);
    let (s, t, q) = (f(8.0), f(4.0), f(2.0));
    assert_eq!(ask("TEX OUT[0], IN[0], SAMP[3], 2D"), [s, t, q, 3 << 16]);
    assert_eq!(ask("TXP OUT[0], IN[0], SAMP[3], RECT")[3], 3 << 16 | 1 << 12);
    assert_eq!(ask("TXB OUT[0], IN[0], SAMP[0], 1D"), [s, t, q, 0]);
    assert_eq!(ask("TXL OUT[0].xyzw, IN[0], SAMP[0], 2D, IMM[0].xyz")[3], 0x1E3);
    assert_eq!(ask("TEX_LZ OUT[0], IN[0], SAMP[0], 2D"), [s, t, 0, 0]);
    assert_eq!(ask("TXD OUT[0], IN[0], IN[2], IN[1], SAMP[0], 2D"), [s, t ^ f(32.0), q, 0]);
    assert_eq!(ask("TXF OUT[0], IN[2], SAMP[0], 2D"), [5, 6, 0, 0]);
    assert_eq!(ask("TXF_LZ OUT[0], IN[2].xyzz, SAMP[0], 2D"), [5, 6, 0, 0]);
    assert_eq!(ask("SAMPLE OUT[0], IN[0], SVIEW[2].wxyz, SAMP[2]"), [2 << 16, s, t, q]);
    assert_eq!(ask("SAMPLE_L OUT[0], IN[0], SVIEW[2], SAMP[2], IN[1].yyyy"), [s, t, f(32.0), 2 << 16]);
    assert_eq!(ask("SAMPLE_B OUT[0].z, IN[0], SVIEW[2], SAMP[2], IN[1].yyyy"), [0, 0, f(32.0), 0]);
    assert_eq!(ask("SAMPLE_D OUT[0], IN[0], SVIEW[2], SAMP[2], IN[2], IN[1]")[1], t ^ f(32.0));
    assert_eq!(ask("SAMPLE_I OUT[0], IN[2], SVIEW[2]"), [5, 6, 0, 2 << 16]);
    assert_eq!(ask("TEX_SAT OUT[0], IN[0], SAMP[0], 2D")[..2], [ONE, ONE]);
}

#[test]
fn registers_addressed_by_registers() {
    let consts: Vec<Vec4> = (0..8).map(|n| [n * 10, n * 10 + 1, n * 10 + 2, n * 10 + 3]).collect();
    let other: Vec<Vec4> = (0..2).map(|n| [1000 + n; 4]).collect();
    let declared = "DCL CONST[0][0..7]\nDCL CONST[1][0..1]\nDCL TEMP[8..11], ARRAY(1)\nDCL ADDR[1]";
    let load = "UARL ADDR[0].x, IN[0].xxxx\nUARL ADDR[1].y, IN[1].xxxx\n";
    let x = |body: &str, a: [u32; 4], b: [u32; 4]| {
        let case = Case {
            inputs: vec![lanes(a), lanes(b), [[70; 4]; 4], [[71; 4]; 4]],
            banks: vec![consts.clone(), other.clone()],
            ..Case::default()
        };
        run(&around(declared, &format!("{load}{body}")), &case).outs[0].map(|v| v[0])
    };
    let zero = [0; 4];
    // Each lane has its own address; outside reads zero, before and behind.
    assert_eq!(x("MOV OUT[0], CONST[ADDR[0].x+1]", [0, 6, 7, ALL - 1], zero), [10, 70, 0, 0]);
    assert_eq!(x("MOV OUT[0], CONST[0][ADDR[0].x-1].yyyy", [1, 2, 0, 8], zero), [1, 11, 0, 71]);
    assert_eq!(x("MOV OUT[0], CONST[ADDR[0].x][ADDR[1].y]", [0, 1, 1, 2], [3, 0, 1, 0]), [30, 1000, 1001, 0]);
    assert_eq!(x("MOV OUT[0], IN[ADDR[0].x+2]", [0, 1, 2, ALL - 1], zero), [70, 71, 0, ALL - 1]);
    let fill = "MOV TEMP[8], CONST[1]\nMOV TEMP[9], CONST[2]\nMOV TEMP[10], CONST[3]\nMOV TEMP[11], CONST[4]\n";
    let temp = |body: &str, a: [u32; 4], b: [u32; 4]| x(&format!("{fill}{body}"), a, b);
    assert_eq!(temp("MOV OUT[0], TEMP[ADDR[0].x+8](1)", [0, 3, 4, ALL], zero), [10, 40, 0, 0]);
    // A destination is addressed per lane as well, and only running lanes write.
    let store = "UIF IN[1]\nMOV TEMP[ADDR[0].x+8](1), CONST[7]\nENDIF\nMOV OUT[0], TEMP[9]";
    assert_eq!(temp(store, [0, 1, 1, 5], [1, 1, 0, 1]), [20, 70, 20, 20]);
    // The source of an index may be the register that is written.
    let own = "MOV TEMP[0].x, IN[0].xxxx\nMOV TEMP[TEMP[0].x], IN[2]\nMOV OUT[0], TEMP[2]";
    assert_eq!(x(own, [2, 1, 2, 0], zero), [70, 0, 70, 0]);
    let out = "UADD OUT[ADDR[0].x].x, IN[2], IN[0]\nNOP";
    assert_eq!(x(out, zero, zero), [70; 4]);
}

#[test]
fn integers_survive_registers_addressed_by_registers() {
    let body = "UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[ADDR[0].x], IN[1]\nUADD TEMP[1], TEMP[ADDR[0].x], IN[1]\n\
                MOV OUT[0], TEMP[1]";
    let (program, _) = parse(&around("", body));
    let shader = lift(&program.unwrap(), &Options::default()).unwrap();
    assert!(shader.func.arrays.values().all(|a| a.ty == parallax_core::Type::I32));
    let body = "UARL ADDR[0].x, IN[0].xxxx\nADD TEMP[ADDR[0].x], IN[1], IN[1]\nMUL OUT[0], TEMP[ADDR[0].x], IN[1]";
    let (program, _) = parse(&around("", body));
    let shader = lift(&program.unwrap(), &Options::default()).unwrap();
    assert!(shader.func.arrays.values().all(|a| a.ty == parallax_core::Type::F32));
}

#[test]
fn the_interface_follows_the_declarations() {
    use parallax_core::{AttrSemantic::*, Interp, Location, OutputRole};
    let text = "FRAG\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\nDCL IN[0], POSITION, LINEAR\nDCL IN[1], COLOR, COLOR\n\
                DCL IN[2..3], TEXCOORD[4], PERSPECTIVE, CENTROID\nDCL IN[4], FACE, CONSTANT\nDCL IN[5], FOG, LINEAR, SAMPLE\n\
                DCL SV[0], FACE\nDCL SV[1], SAMPLEPOS\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL OUT[2], STENCIL\n\
                DCL OUT[3], SAMPLEMASK\nDCL SAMP[4]\nDCL CONST[2][0..5]\n\
                MOV OUT[0].xy, IN[0]\nMOV OUT[1].z, IN[1]\nUADD OUT[2].y, SV[0].xxxx, SV[0].wwww\nMOV OUT[3].x, IN[2]\n\
                TEX OUT[0].zw, IN[3], SAMP[4], RECT\nEND\n";
    let shader = lift(&parse(text).0.unwrap(), &Options::default()).unwrap();
    let iface = &shader.func.iface;
    let attrs: Vec<_> = iface.attrs.iter().map(|a| (a.name.as_str(), a.semantic, a.interp, a.location)).collect();
    assert_eq!(
        attrs,
        [
            ("IN[0]", Position, Interp::Linear, Location::Center),
            ("IN[1]", Color(0), Interp::Color, Location::Center),
            ("IN[2]", TexCoord(4), Interp::Perspective, Location::Centroid),
            ("IN[3]", TexCoord(5), Interp::Perspective, Location::Centroid),
            ("IN[4]", Face, Interp::Flat, Location::Center),
            ("IN[5]", Fog, Interp::Linear, Location::Sample),
        ]
    );
    let outs: Vec<_> = iface.outputs.iter().map(|o| (o.role, o.types.map(|t| t.map(|t| t.name())))).collect();
    let float = Some("fp32");
    assert_eq!(
        outs,
        [
            (OutputRole::Color(0), [float; 4]),
            (OutputRole::Depth, [None, None, float, None]),
            (OutputRole::Stencil, [None, Some("i32"), None, None]),
            (OutputRole::SampleMask, [Some("i32"), None, None, None]),
        ]
    );
    assert_eq!(
        iface.banks.iter().map(|b| (b.name.as_str(), b.len)).collect::<Vec<_>>(),
        [("CONST[0]", 0), ("CONST[1]", 0), ("CONST[2]", 6)]
    );
    assert_eq!((iface.textures[0].unit, iface.textures[0].target), (4, parallax_core::TexTarget::Rect));
    let answer = run(text, &Case { inputs: vec![[[f(3.5), f(7.5), 0, 0]; 4]], ..Case::default() });
    assert_eq!(answer.outs[0][0][..2], [f(3.0), f(7.0)]);
    assert_eq!(answer.outs[2].map(|v| v[1]), [1, 0, 1, 1], "the sum of facing (all ones in lane 1) and 1");
}

#[test]
fn vertex_programs_run() {
    let text = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[3]\nDCL CONST[0..3]\nDCL SV[0], VERTEXID\n\
                DP4 OUT[0].x, IN[0], CONST[0]\nMOV OUT[0].yzw, IN[0]\nMOV OUT[1], SV[0].xxxx\nEND";
    let banks = vec![vec![fs([1.0, 2.0, 3.0, 4.0])]];
    let answer = run(text, &Case { inputs: vec![[fs([1.0; 4]); 4]], banks, ..Case::default() });
    assert_eq!(answer.outs[0][2], fs([10.0, 1.0, 1.0, 1.0]));
    assert_eq!(answer.outs[1][2], [0; 4]);
}

#[test]
fn registers_are_preset_and_watched_by_name() {
    let body = "UADD TEMP[1], TEMP[0], TEMP[0]\nADD TEMP[2].x, IN[0], IN[0]\nMOV OUT[0], SV[0]";
    let case = Case {
        inputs: vec![[fs([1.5; 4]); 4]],
        watch: &["TEMP[1]", "TEMP[2]", "CONST[1][0]", "CONST[1]", "SV[0]", "ADDR[0]", "IN[0]"],
        preset: &[("TEMP[0]", [1, 2, 3, 4]), ("SV[0]", [9, 8, 7, 6]), ("ADDR[0]", [5; 4])],
        banks: vec![vec![[0; 4], [20; 4]], vec![[30; 4]]],
    };
    let text = around("DCL SV[0], FACE\nDCL CONST[0..1]\nDCL CONST[1][0]", body);
    let answer = run(&text, &case);
    let lane: Vec<Vec4> = answer.outs.iter().map(|o| o[0]).collect();
    assert_eq!(
        lane,
        [[9, 8, 7, 6], [2, 4, 6, 8], [f(3.0), 0, 0, 0], [30; 4], [20; 4], [9, 8, 7, 6], [5; 4], fs([1.5; 4])]
    );
    let program = parse(&text).0.unwrap();
    let refuse = |options: Options| lift(&program, &options).unwrap_err()[0].code;
    assert_eq!(refuse(Options { watch: vec!["TEMP[8]".into()], ..Options::default() }), "option-watch");
    assert_eq!(refuse(Options { preset: vec!["R0".into()], ..Options::default() }), "option-preset");
    let settings = [("mul-zero-wins".to_string(), "no".to_string())].into();
    assert_eq!(refuse(Options { settings, ..Options::default() }), "option-value");
}

#[test]
fn zero_wins_where_the_program_asks_for_it() {
    let body = "MUL OUT[0], IN[0], IN[1]\n";
    let ins = vec![[[0, INF, 0, ONE]; 4], [[INF, 0, NAN, ONE]; 4]];
    for name in ["MUL_ZERO_WINS", "LEGACY_MATH_RULES"] {
        let text = around(&format!("PROPERTY {name} 1"), body);
        let answer = run(&text, &Case { inputs: ins.clone(), ..Case::default() });
        assert_eq!(answer.outs[0][0], [0, 0, 0, ONE]);
    }
    let plain = run(&around("", body), &Case { inputs: ins, ..Case::default() });
    assert!(plain.outs[0][0][..3].iter().all(|w| f32::from_bits(*w).is_nan()));
}

#[test]
fn every_instruction_is_a_source_with_its_place() {
    let text = "FRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n 7: add temp[0] , in[0],-in[0] MUL OUT[0], TEMP[0], TEMP[0]\nEND";
    let shader = lift(&parse(text).0.unwrap(), &Options::default()).unwrap();
    let sources: Vec<_> = shader.func.sources.iter().map(|(_, s)| (s.line, s.offset, s.text)).collect();
    assert_eq!(
        sources,
        [
            (5, text.find("add").unwrap() as u32, "ADD TEMP[0], IN[0], -IN[0]"),
            (5, text.find("MUL").unwrap() as u32, "MUL OUT[0], TEMP[0], TEMP[0]"),
        ]
    );
}
