//! Branches, loops, switches and calls, each lane on its own way.

use super::*;

/// Runs with IN[0].x per lane; OUT[0].x per lane.
fn x(declarations: &str, body: &str, xs: [u32; 4]) -> [u32; 4] {
    let imms = "IMM[0] INT32 {0, 1, 2, 3}\nIMM[1] INT32 {10, 100, 1000, 10000}";
    let text = around(&format!("{imms}\n{declarations}"), body);
    let answer = run(&text, &Case { inputs: vec![xs.map(|x| [x, 0, 0, 0])], ..Case::default() });
    answer.outs[0].map(|v| v[0])
}

#[test]
fn branches() {
    let body = "MOV OUT[0].x, IMM[0].xxxx\nIF IN[0].xxxx :0\nMOV OUT[0].x, IMM[0].yyyy\nELSE :99\nMOV OUT[0].x, IMM[0].zzzz\nENDIF";
    // A float condition: -0 is false, NaN is true; a bitwise one sees the sign of zero.
    assert_eq!(x("", body, [ONE, NEG_ZERO, NAN, 0]), [1, 2, 1, 2]);
    assert_eq!(x("", &body.replace("IF IN", "UIF IN").replace("EUIF", "EIF"), [ONE, NEG_ZERO, NAN, 0]), [1, 1, 1, 2]);
    let nested = "UIF IN[0].xxxx\nUSEQ TEMP[0], IN[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].xxxx\nMOV OUT[0].x, IMM[1].xxxx\nELSE\nMOV OUT[0].x, IMM[1].yyyy\nENDIF\nENDIF";
    assert_eq!(x("", nested, [0, 1, 2, 3]), [0, 100, 10, 100]);
}

#[test]
fn loops() {
    // Sum of 1..n, by a loop with BRK; lanes leave at different rounds.
    let sum = "BGNLOOP\nISGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
               UADD OUT[0].x, OUT[0].xxxx, TEMP[0].xxxx\nENDLOOP";
    assert_eq!(x("", sum, [0, 1, 4, 10]), [0, 1, 10, 55]);
    // CONT skips what is odd.
    let even = "BGNLOOP\nISGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
                AND TEMP[1].x, TEMP[0].xxxx, IMM[0].yyyy\nUIF TEMP[1].xxxx\nCONT\nENDIF\nUADD OUT[0].x, OUT[0].xxxx, TEMP[0].xxxx\nENDLOOP";
    assert_eq!(x("", even, [1, 2, 5, 6]), [0, 2, 6, 12]);
    // A loop in a loop: n * 3 rounds.
    let nested = "BGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\nMOV TEMP[2].x, IMM[0].xxxx\n\
                  BGNLOOP\nUSGE TEMP[1].x, TEMP[2].xxxx, IMM[0].wwww\nUIF TEMP[1].xxxx\nBRK\nENDIF\nUADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\n\
                  UADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\nENDLOOP\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP";
    assert_eq!(x("", nested, [0, 1, 2, 5]), [0, 3, 6, 15]);
    // What never ends runs out of fuel and goes on.
    let endless = around("IMM[0] INT32 {5, 1, 0, 0}", "BGNLOOP\nENDLOOP\nMOV OUT[0].x, IMM[0].xxxx");
    let answer = run(&endless, &Case::default());
    assert_eq!((answer.outs[0].map(|v| v[0]), answer.out_of_fuel), ([5; 4], [true; 4]));
}

/// Adds a power of ten for each part that runs.
fn switch(arms: &str) -> String {
    let add = |c: char| format!("UADD OUT[0].x, OUT[0].xxxx, IMM[1].{c}{c}{c}{c}\n");
    let mut body = "SWITCH IN[0].xxxx\n".to_string();
    for arm in arms.split_whitespace() {
        body += &match arm {
            "+10" => add('x'),
            "+100" => add('y'),
            "+1000" => add('z'),
            "0" | "1" | "2" | "3" => {
                let c = ["x", "y", "z", "w"][arm.parse::<usize>().unwrap()];
                format!("CASE IMM[0].{}\n", c.repeat(4))
            }
            "D" => "DEFAULT\n".into(),
            "B" => "BRK\n".into(),
            "odd" => "AND TEMP[0].x, IN[0].xxxx, IMM[0].yyyy\nUIF TEMP[0].xxxx\nBRK\nENDIF\n".into(),
            other => panic!("{other}"),
        };
    }
    body + "ENDSWITCH\nUADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy"
}

#[test]
fn switches() {
    let run = |arms: &str, xs| x("", &switch(arms), xs);
    assert_eq!(run("0 +10 B 1 +100 B D +1000 B", [0, 1, 2, ALL]), [11, 101, 1001, 1001]);
    assert_eq!(run("0 +10 1 +100 B", [0, 1, 2, 3]), [111, 101, 1, 1], "fall through, no default");
    assert_eq!(run("D +1000 B 0 +10 B 1 +100 B", [0, 1, 2, 3]), [11, 101, 1001, 1001], "default first");
    assert_eq!(run("0 +10 B D +1000 1 +100 B", [0, 1, 2, 3]), [11, 101, 1101, 1101], "default falls into a case");
    assert_eq!(run("0 +10 D +1000 B", [0, 1, 2, 3]), [1011, 1001, 1001, 1001], "a case falls into default");
    assert_eq!(run("0 1 +10 B 2 D +100", [0, 1, 2, 3]), [11, 11, 101, 101], "several labels");
    assert_eq!(run("+1000 0 +10", [0, 1, 2, 3]), [11, 1, 1, 1], "what stands before the first case never runs");
    assert_eq!(run("2 +10 odd +100 B 3 +1000", [1, 2, 3, 2]), [1, 111, 1001, 111]);
    assert_eq!(run("D odd +10 B 2 +100", [1, 2, 3, 4]), [1, 101, 1, 11], "BRK of some lanes only");
    assert_eq!(run("", [0; 4]), [1; 4]);
    assert_eq!(run("D", [0; 4]), [1; 4]);
}

#[test]
fn switch_in_a_loop() {
    // BRK leaves the switch, CONT the round, a second BRK the loop.
    let body = "BGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n\
                SWITCH TEMP[0].xxxx\nCASE IMM[0].zzzz\nCONT\nCASE IMM[0].wwww\nUADD OUT[0].x, OUT[0].xxxx, IMM[1].xxxx\nBRK\nENDSWITCH\n\
                UADD OUT[0].x, OUT[0].xxxx, IMM[1].yyyy\nENDLOOP";
    assert_eq!(x("", body, [1, 2, 3, 4]), [100, 100, 210, 310]);
}

#[test]
fn calls() {
    let sub = "CAL :3\nCAL :3\nRET\nBGNSUB\nUADD OUT[0].x, OUT[0].xxxx, IN[0].xxxx\nUIF OUT[0].xxxx\nRET\nENDIF\n\
               UADD OUT[0].x, OUT[0].xxxx, IMM[1].xxxx\nENDSUB";
    assert_eq!(x("", sub, [0, 1, 2, 3]), [10, 2, 4, 6]);
    // RET stops the lane in the main program, also from a loop.
    let stop = "UIF IN[0].xxxx\nBGNLOOP\nRET\nENDLOOP\nENDIF\nMOV OUT[0].x, IMM[1].xxxx";
    assert_eq!(x("", stop, [0, 1, 0, 1]), [10, 0, 10, 0]);
    // RET in a loop of a subroutine leaves the subroutine only.
    let inner = "CAL :3\nUADD OUT[0].x, OUT[0].xxxx, IMM[1].xxxx\nRET\nBGNSUB\nBGNLOOP\nUADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\n\
                 USGE TEMP[0].x, OUT[0].xxxx, IN[0].xxxx\nUIF TEMP[0].xxxx\nRET\nENDIF\nENDLOOP\nENDSUB";
    assert_eq!(x("", inner, [0, 1, 2, 5]), [11, 11, 12, 15]);
    // A subroutine in the way of the main program is stepped over; one behind END is found.
    let between = "CAL :1\nBGNSUB\nCAL :6\nENDSUB\nUADD OUT[0].x, OUT[0].xxxx, IMM[0].yyyy\nEND\nBGNSUB\n\
                   UADD OUT[0].x, OUT[0].xxxx, IMM[1].xxxx\nENDSUB";
    let text = around("IMM[0] INT32 {0, 1, 2, 3}\nIMM[1] INT32 {10, 100, 1000, 10000}", between);
    let text = text.strip_suffix("END\n").unwrap();
    assert_eq!(run(text, &Case::default()).outs[0][0][0], 11);
}

fn lift_codes(text: &str) -> Vec<&'static str> {
    let (program, diags) = parse(text);
    assert!(diags.is_empty(), "{diags:?}");
    lift(&program.unwrap(), &Options::default()).unwrap_err().iter().map(|d| d.code).collect()
}

#[test]
fn calls_without_measure_are_refused() {
    assert_eq!(lift_codes(&around("", "CAL :2\nRET\nBGNSUB\nCAL :2\nENDSUB")), ["call-recursion"]);
    // 2^n calls.
    let mut doubling = "CAL :2\nRET\n".to_string();
    for n in 0..20 {
        let next = 2 + (n + 1) * 4;
        doubling += &format!("BGNSUB\nCAL :{next}\nCAL :{next}\nENDSUB\n");
    }
    assert_eq!(lift_codes(&around("", &(doubling + "BGNSUB\nNOP\nENDSUB")))[0], "call-count");
    let long = format!("{}RET\nBGNSUB\n{}ENDSUB", "CAL :1001\n".repeat(1000), "NOP\n".repeat(200));
    assert_eq!(lift_codes(&around("", &long)), ["call-size"]);
}

#[test]
fn nesting_has_a_limit() {
    let nested = |n: usize| around("", &format!("{}{}", "UIF IN[0]\n".repeat(n), "ENDIF\n".repeat(n)));
    assert_eq!(lift_codes(&nested(300)), ["tgsi-depth-unsupported"]);
    assert_eq!(lift_codes(&nested(100_000)), ["tgsi-depth-unsupported"]);
    run(&nested(200), &Case::default());
}

#[test]
fn values_passed_between_blocks_have_a_limit() {
    // Every BRK passes every register that was written.
    let writes: String = (0..1500).map(|n| format!("ADD TEMP[{}], IN[0], IN[0]\n", 10 + n)).collect();
    let body = format!("BGNLOOP\n{writes}{}ENDLOOP", "UIF IN[0]\nBRK\nENDIF\n".repeat(1500));
    assert_eq!(lift_codes(&around("DCL TEMP[10..1600]", &body)), ["lift-size"]);
}

#[test]
fn code_that_is_never_reached_is_dropped() {
    let body = "BGNLOOP\nMOV OUT[0].x, IMM[0].yyyy\nBRK\nMOV OUT[0].x, IMM[0].zzzz\nUIF IN[0]\nBRK\nELSE\nCONT\nENDIF\n\
                BGNLOOP\nENDLOOP\nSWITCH IN[0]\nCASE IMM[0].xxxx\nDEFAULT\nBRK\nENDSWITCH\nENDLOOP";
    assert_eq!(x("", body, [0, 1, 2, 3]), [1; 4]);
    let both = "BGNLOOP\nUIF IN[0].xxxx\nMOV OUT[0].x, IMM[0].yyyy\nBRK\nELSE\nMOV OUT[0].x, IMM[0].zzzz\nRET\nENDIF\nMOV OUT[0].x, IMM[0].wwww\nENDLOOP\n\
                UADD OUT[0].x, OUT[0].xxxx, IMM[1].xxxx";
    assert_eq!(x("", both, [0, 1, 0, 1]), [2, 11, 2, 11]);
}
