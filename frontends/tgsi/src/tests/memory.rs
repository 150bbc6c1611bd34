//! Buffers, counters, images: what is read and written, and by which lanes.

use super::*;

/// Runs a program on `BUFFER[0]`; the output of each lane and the buffer afterwards.
fn on_buffer(body: &str, words: &[u32], input: [Vec4; 4]) -> ([Vec4; 4], Vec<u32>) {
    let case = Case { inputs: vec![input], buffers: vec![("BUFFER[0]", words.to_vec())], ..Case::default() };
    let answer = run(&around("DCL BUFFER[0]", body), &case);
    (answer.outs[0], answer.buffers[0].clone())
}

/// x of each lane.
fn xs(xs: [u32; 4]) -> [Vec4; 4] {
    xs.map(|x| [x, 0, 0, 0])
}

#[test]
fn a_load_reads_all_its_words_or_none() {
    let words = [10, 11, 12, 13, 14];
    let load = |body: &str, at: [u32; 4]| on_buffer(body, &words, xs(at)).0;
    let whole = load("LOAD OUT[0], BUFFER[0], IN[0].xxxx", [0, 4, 8, u32::MAX - 3]);
    assert_eq!(whole, [[10, 11, 12, 13], [11, 12, 13, 14], [0; 4], [0; 4]]);
    let two = load("LOAD OUT[0].xy, BUFFER[0], IN[0].xxxx", [8, 12, 16, 20]);
    assert_eq!(two, [[12, 13, 0, 0], [13, 14, 0, 0], [0; 4], [0; 4]]);
    // The highest component that is read decides, wherever it goes.
    let turned = load("LOAD OUT[0].yz, BUFFER[0].xyxw, IN[0].xxxx", [8, 12, 16, 20]);
    assert_eq!(turned, [[0, 13, 12, 0], [0, 14, 13, 0], [0; 4], [0; 4]]);
    let one = load("LOAD OUT[0].w, BUFFER[0].xxxx, IN[0].xxxx", [16, 20, 0, 4]);
    assert_eq!(one, [[0, 0, 0, 14], [0; 4], [0, 0, 0, 10], [0, 0, 0, 11]]);
}

#[test]
fn a_store_drops_words_outside() {
    let store = |body: &str, at: [u32; 4]| on_buffer(body, &[0; 4], xs(at)).1;
    assert_eq!(store("STORE BUFFER[0], IN[0].xxxx, IN[0].xxxx", [8, 100, 16, 1 << 31]), [0, 0, 8, 8]);
    assert_eq!(store("STORE BUFFER[0].yw, IN[0].xxxx, IN[0].xxxx", [100, 8, 8, 4]), [0, 0, 4, 8]);
    // Word after word, each for all lanes.
    assert_eq!(store("STORE BUFFER[0].xy, IN[0].xxxx, IN[0].xxxx", [4, 8, 100, 100]), [0, 4, 4, 8]);
    // No address wraps around to the first words.
    assert_eq!(store("STORE BUFFER[0], IN[0].xxxx, IN[0].xxxx", [u32::MAX - 3; 4]), [0; 4]);
    assert_eq!(
        store("STORE BUFFER[0].x, IN[0].xxxx, -IN[0].xxxx", [4, 8, 12, 16]),
        [0, 4u32.wrapping_neg(), 8u32.wrapping_neg(), 12u32.wrapping_neg()]
    );
}

#[test]
fn only_pixels_that_are_seen_change_memory() {
    let text = around(
        "DCL BUFFER[0]\nIMM[0] UINT32 {0, 4, 1, 0}",
        "UIF IN[0]\nKILL\nENDIF\nATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\nSTORE BUFFER[0].x, IMM[0].yyyy, IN[1].xxxx",
    );
    let inputs = vec![xs([0, 0, 1, 0]), xs([7, 8, 9, 10])];
    let buffers = vec![("BUFFER[0]", vec![0; 2])];
    let answer = run(&text, &Case { inputs, buffers, helpers: [false, false, false, true], ..Case::default() });
    assert_eq!(answer.buffers[0], [2, 8]);
    let text = around("", "UIF IN[0]\nKILL\nENDIF\nREAD_HELPER OUT[0].x");
    let inputs = vec![xs([0, 0, 1, 0])];
    let answer = run(&text, &Case { inputs, helpers: [false, false, false, true], ..Case::default() });
    assert_eq!(answer.outs[0].map(|out| out[0]), [0, 0, ALL, ALL]);
}

#[test]
fn atomics_take_the_lanes_one_after_the_other() {
    type Rule = fn(u32, u32) -> u32;
    let rules: [(&str, Rule); 11] = [
        ("ATOMUADD", |old, by| old.wrapping_add(by)),
        ("ATOMXCHG", |_, by| by),
        ("ATOMAND", |old, by| old & by),
        ("ATOMOR", |old, by| old | by),
        ("ATOMXOR", |old, by| old ^ by),
        ("ATOMUMIN", |old, by| old.min(by)),
        ("ATOMUMAX", |old, by| old.max(by)),
        ("ATOMIMIN", |old, by| (old as i32).min(by as i32) as u32),
        ("ATOMIMAX", |old, by| (old as i32).max(by as i32) as u32),
        ("ATOMINC_WRAP", |old, by| if old >= by { 0 } else { old + 1 }),
        ("ATOMDEC_WRAP", |old, by| if old == 0 || old > by { by } else { old - 1 }),
    ];
    let operands = [5, 0xffff_fff0, 3, 0x8000_0001];
    for (op, rule) in rules {
        for start in [4, 0, 0x8000_0000] {
            let body = format!("{op} TEMP[0].x, BUFFER[0], IMM[0].xxxx, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx");
            let text = around("DCL BUFFER[0]\nIMM[0] UINT32 {4, 0, 0, 0}", &body);
            let case =
                Case { inputs: vec![xs(operands)], buffers: vec![("BUFFER[0]", vec![1, start])], ..Case::default() };
            let answer = run(&text, &case);
            let mut word = start;
            for (lane, by) in operands.into_iter().enumerate() {
                assert_eq!(answer.outs[0][lane][0], word, "{op} {start} {lane}");
                word = rule(word, by);
            }
            assert_eq!(answer.buffers[0], [1, word], "{op}");
        }
    }
    let compare = "ATOMCAS OUT[0].x, BUFFER[0], IN[0].yyyy, IN[0].xxxx, IN[0].zzzz";
    let input = [[7, 0, 8, 0], [7, 0, 9, 0], [8, 0, 10, 0], [1, 8, 2, 0]];
    let (old, words) = on_buffer(compare, &[7, 7], input);
    assert_eq!((old.map(|old| old[0]), words), ([7, 8, 8, 0], vec![10, 7]));
}

#[test]
fn sums_of_floats_round_lane_by_lane() {
    let big = 16_777_216f32;
    let (old, words) = on_buffer(
        "ATOMFADD OUT[0].x, BUFFER[0], IN[0].yyyy, IN[0].xxxx",
        &[f(1.0)],
        xs([f(big), f(1.0), f(-big), f(0.5)]),
    );
    assert_eq!(old.map(|old| old[0]), [f(1.0), f(big), f(big), f(0.0)]);
    assert_eq!(words, [f(0.5)]);
    let (_, words) = on_buffer("ATOMFADD OUT[0].x, BUFFER[0], IN[0].xxxx, IN[0].xxxx", &[0], xs([4; 4]));
    assert_eq!(words, [0]);
}

#[test]
fn registers_name_buffers() {
    let body = "UARL ADDR[0].x, IN[0].xxxx\nSTORE BUFFER[ADDR[0].x+1].x, IMM[0].xxxx, IN[1].xxxx\n\
                LOAD OUT[0].x, BUFFER[ADDR[0].x], IMM[0].xxxx\nRESQ TEMP[0].x, BUFFER[ADDR[0].x]\nMOV OUT[0].y, TEMP[0].xxxx";
    let text = around("DCL BUFFER[0..2]\nIMM[0] UINT32 {0, 0, 0, 0}", body);
    let buffers = vec![("BUFFER[0]", vec![100]), ("BUFFER[1]", vec![200, 0]), ("BUFFER[2]", vec![300, 0, 0])];
    let inputs = vec![xs([0, 1, 5, ALL]), xs([1, 2, 3, 4])];
    let answer = run(&text, &Case { inputs, buffers, ..Case::default() });
    assert_eq!(answer.buffers, [vec![4], vec![1, 0], vec![2, 0, 0]]);
    assert_eq!(answer.outs[0].map(|out| [out[0], out[1]]), [[4, 4], [1, 8], [0, 0], [0, 0]]);
}

#[test]
fn counters_are_words_of_their_group() {
    let body = "UARL ADDR[0].x, IN[0].xxxx\nATOMUADD OUT[0].x, HWATOMIC[1][ADDR[0].x+1], IMM[0].xxxx, IMM[0].yyyy\n\
                LOAD TEMP[0].x, HWATOMIC[1][2], IMM[0].xxxx\nMOV OUT[0].y, TEMP[0].xxxx";
    let text = around("DCL HWATOMIC[1][0..3]\nIMM[0] UINT32 {0, 5, 0, 0}", body);
    let case =
        Case { inputs: vec![xs([0, 1, 1, 2])], buffers: vec![("HWATOMIC[1]", vec![1, 2, 3, 4])], ..Case::default() };
    let answer = run(&text, &case);
    assert_eq!(answer.buffers[0], [1, 7, 13, 9]);
    assert_eq!(answer.outs[0].map(|out| [out[0], out[1]]), [[2, 13], [3, 13], [8, 13], [4, 13]]);
}

#[test]
fn registers_name_groups_of_counters() {
    let body = "UARL ADDR[0].x, IN[0].xxxx\nATOMUADD OUT[0].x, HWATOMIC[ADDR[0].x][1], IMM[0].xxxx, IMM[0].yyyy";
    let text = around("DCL HWATOMIC[0][0..1]\nDCL HWATOMIC[3][0..1]\nIMM[0] UINT32 {0, 5, 0, 0}", body);
    let buffers = vec![("HWATOMIC[0]", vec![1, 2]), ("HWATOMIC[3]", vec![3, 4])];
    let answer = run(&text, &Case { inputs: vec![xs([3, 0, 3, 1])], buffers, ..Case::default() });
    assert_eq!(answer.buffers, [vec![1, 7], vec![3, 14]]);
    assert_eq!(answer.outs[0].map(|out| out[0]), [4, 2, 9, 0]);
}

#[test]
fn constants_have_addresses_too() {
    let text = around("DCL CONST[1][0..1]", "LOAD OUT[0], CONSTBUF[1], IN[0].xxxx");
    let case = Case {
        inputs: vec![xs([0, 4, 16, 28])],
        banks: vec![vec![], vec![[1, 2, 3, 4], [5, 6, 7, 8]]],
        ..Case::default()
    };
    let want = [[1, 2, 3, 4], [2, 3, 4, 5], [5, 6, 7, 8], [8, 0, 0, 0]];
    assert_eq!(run(&text, &case).outs[0], want);
    let body = "UARL ADDR[0].x, IN[0].xxxx\nLOAD OUT[0].xy, CONSTBUF[ADDR[0].x], IN[1].xxxx";
    let text = around("DCL CONST[0]\nDCL CONST[2][0]\nDCL CONSTBUF[2]", body);
    let inputs = vec![xs([0, 1, 2, 3]), xs([4; 4])];
    let banks = vec![vec![[1, 2, 3, 4]], vec![], vec![[5, 6, 7, 8]]];
    let found = run(&text, &Case { inputs, banks, ..Case::default() }).outs[0].map(|out| [out[0], out[1]]);
    assert_eq!(found, [[2, 3], [0, 0], [6, 7], [0, 0]]);
}

#[test]
fn images_are_read_written_and_changed() {
    let body = "LOAD OUT[0], IMAGE[0], IN[0], 2D\nSTORE IMAGE[1], IN[0], IN[1], 2D\n\
                ATOMUMAX TEMP[0].x, IMAGE[2], IN[0], IN[1].xxxx, 2D\nRESQ TEMP[1], IMAGE[2]\nMOV OUT[0].yw, TEMP[1]";
    let text = around("DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, WR", body);
    let texels: Vec<u32> = (100..116).collect();
    let inputs = vec![[[0, 0, 0, 0], [3, 1, 9, 9], [4, 0, 0, 0], [ALL, 0, 0, 0]], xs([1, 500, 3, 4])];
    let buffers = vec![("IMAGE[0]", texels.clone()), ("IMAGE[1]", texels.clone()), ("IMAGE[2]", texels.clone())];
    let answer = run(&text, &Case { inputs, buffers, ..Case::default() });
    assert_eq!(answer.outs[0].map(|out| out[0]), [100, 107, 0, 0]);
    assert_eq!(answer.outs[0].map(|out| [out[1], out[3]]), [[4, 1]; 4]);
    let mut want = texels.clone();
    want[7] = 500;
    assert_eq!(answer.buffers[2], want);
    want[0] = 1;
    assert_eq!(answer.buffers[1], want);
}

#[test]
fn time_goes_on_and_repeats() {
    let body = "CLOCK OUT[0].xy\nUIF IN[0]\nCLOCK TEMP[0]\nENDIF\nCLOCK TEMP[1]\nMOV OUT[0].z, TEMP[1].xxxx";
    let answer = run(&around("", body), &Case { inputs: vec![xs([0, 1, 0, 1])], ..Case::default() });
    assert_eq!(answer.outs[0].map(|out| [out[0], out[1], out[2]]), [[0, 0, 1], [0, 0, 2], [0, 0, 1], [0, 0, 2]]);
}

#[test]
fn queries_ask_for_sides() {
    let x = |declarations: &str, body: &str| {
        let case = Case { inputs: vec![xs([2; 4])], ..Case::default() };
        run(&around(declarations, body), &case).outs[0][0]
    };
    let unit = "DCL SAMP[3]";
    assert_eq!(x(unit, "TXQ OUT[0], IN[0].xxxx, SAMP[3], 2D"), [3200, 3206, 0, 3218]);
    assert_eq!(x(unit, "TXQ OUT[0], IN[0].xxxx, SAMP[3], 3D"), [3200, 3206, 3212, 3218]);
    assert_eq!(x(unit, "TXQ OUT[0], IN[0].xxxx, SAMP[3], SHADOW1D_ARRAY"), [3200, 3212, 0, 3218]);
    assert_eq!(x(unit, "TXQ OUT[0], IN[0].xxxx, SAMP[3], CUBEARRAY"), [3200, 3206, 3212 / 6, 3218]);
    assert_eq!(x(unit, "TXQ OUT[0], IN[0].xxxx, SAMP[3], 2D_MSAA"), [3200, 3206, 0, 1]);
    assert_eq!(x(unit, "TXQ_LZ OUT[0].xw, IN[0].xxxx, SAMP[3], 2D"), [3000, 0, 0, 3018]);
    assert_eq!(x(unit, "TXQS OUT[0], SAMP[3], 2D_MSAA"), [3018, 0, 0, 0]);
    assert_eq!(x(unit, "TXQS OUT[0], SAMP[3], 2D"), [1, 0, 0, 0]);
    let view = "DCL SVIEW[1], 2D_ARRAY, FLOAT\nDCL SVIEW[2], 2D_MSAA, FLOAT";
    assert_eq!(x(view, "SVIEWINFO OUT[0], IN[0].xxxx, SVIEW[1].wwww"), [1200, 1206, 1212, 1218]);
    assert_eq!(x(view, "SAMPLE_INFO OUT[0], SVIEW[2]"), [2018, 0, 0, 0]);
    assert_eq!(x("", "SAMPLE_INFO OUT[0], TEMP[0]"), [1, 0, 0, 0]);
    assert_eq!(x("", "SAMPLE_POS OUT[0].xy, TEMP[0], IN[0].xxxx"), [f(0.5), f(0.5), 0, 0]);
}

#[test]
fn what_is_stored_tells_floats_from_integers() {
    let body = "ADD TEMP[0], IN[0], IN[0]\nSTORE BUFFER[0], IN[1].xxxx, TEMP[0]\nLOAD TEMP[1].x, BUFFER[0], IN[1].yyyy\n\
                STORE BUFFER[1].x, IN[1].xxxx, TEMP[1]\nSTORE BUFFER[2].x, IN[1].xxxx, TEMP[0]\n\
                ATOMUADD TEMP[2].x, BUFFER[2], IN[1].xxxx, IN[1].yyyy\nUADD TEMP[3], IN[1], IN[1]\n\
                STORE BUFFER[3].x, IN[1].xxxx, TEMP[3]\nSTORE BUFFER[4].x, IN[1].xxxx, IN[0]\n\
                ATOMFADD TEMP[2].x, BUFFER[5], IN[1].xxxx, IN[0].xxxx\nSTORE IMAGE[0], IN[1], IN[0], 2D";
    let text = around("DCL BUFFER[0..5]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32G32_FLOAT, WR", body);
    let shader = lift(&parse(&text).0.unwrap(), &Options::default()).unwrap();
    let floats: Vec<bool> = shader.func.iface.buffers.iter().map(|buffer| buffer.floats).collect();
    assert_eq!(floats, [true, true, false, false, false, true, true]);
}

#[test]
fn programs_cannot_ask_for_accesses_without_measure() {
    let body = "LOAD TEMP[0].x, BUFFER[ADDR[0].x], IN[0].xxxx\nTEX TEMP[1], IN[0], SAMP[ADDR[0].x], 2D\n".repeat(200);
    let text = around("DCL BUFFER[0..63]\nDCL SAMP[0..255]", &body);
    let diags = lift(&parse(&text).0.unwrap(), &Options::default()).unwrap_err();
    assert_eq!(diags.iter().map(|diag| diag.code).collect::<Vec<_>>(), ["tgsi-array-unsupported"]);
}
