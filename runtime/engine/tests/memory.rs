//! Shaders that read and write buffers: order, sharing, errors.

use parallax::{
    Compiled, Control, Draw, Engine, Geometry, LaneCase, Optimise, Workers, compile, run_draw, run_lanes_in,
};
use parallax_core::num::Model;
use parallax_core::{OutputRole, text};

/// Every fragment takes the next number.
const TICKETS: &str = "shader \"t\" stage(fragment) from(\"test\") {
  output 0 \"OUT[0]\" color(0) i32 - - -
  buffer 0 \"B\"
  %0: i32 = lit 0
  %1: i32 = lit 1
  %2: i32 = atomic.add b0[%0], %1
  out o0.x, %2
  yield
}
";

/// Reads the second word.
const READER: &str = "shader \"t\" stage(fragment) from(\"test\") {
  output 0 \"OUT[0]\" color(0) i32 - - -
  buffer 0 \"B\"
  %0: i32 = lit 4
  %1: i32 = buffer.load b0[%0]
  out o0.x, %1
  yield
}
";

fn compiled(ir: &str) -> Compiled {
    let shader = text::read(ir).unwrap_or_else(|diags| panic!("{diags:#?}"));
    compile(&shader, &Model::builtin("ieee").expect("built in"), Optimise::Yes, Engine::Interp).expect("a valid shader")
}

fn draw(shader: &Compiled, width: u32, height: u32) -> Draw {
    Draw { width, height, ..Draw::defaults(&shader.shader.func.iface).expect("a draw") }
}

fn colours(shader: &Compiled, draw: &Draw, threads: usize) -> (Vec<u64>, Vec<Vec<u32>>) {
    let workers = Workers::new(threads).expect("threads");
    let frame = run_draw(shader, draw, &workers, Control::default()).unwrap_or_else(|diags| panic!("{diags:#?}"));
    (frame.channel(OutputRole::Color(0), 0).expect("a colour").words.to_words(), frame.buffers)
}

#[test]
fn fragments_that_write_memory_run_in_raster_order_whatever_the_threads() {
    let shader = compiled(TICKETS);
    let (width, height) = (6, 40);
    let mut draw = draw(&shader, width, height);
    draw.buffers = vec![vec![100, 7]];
    let number = |x: u32, y: u32| u64::from(100 + (y / 2 * (width / 2) + x / 2) * 4 + y % 2 * 2 + x % 2);
    let want: Vec<u64> = (0..width * height).map(|at| number(at % width, at / width)).collect();
    for threads in [1, 3] {
        assert_eq!(colours(&shader, &draw, threads), (want.clone(), vec![vec![100 + width * height, 7]]), "{threads}");
    }
    // The draw keeps what it had.
    assert_eq!(draw.buffers, [[100, 7]]);
}

#[test]
fn a_triangle_that_writes_memory_comes_after_the_one_before() {
    let shader = compiled(TICKETS);
    let mut draw = draw(&shader, 4, 40);
    let all = [[-1.0, 1.0, 0.0, 1.0], [-1.0, -3.0, 0.0, 1.0], [3.0, 1.0, 0.0, 1.0]];
    draw.geometry = Geometry::Triangles([all, all].concat());
    let (mut words, buffers) = colours(&shader, &draw, 3);
    words.sort_unstable();
    assert_eq!(words, (160..320).collect::<Vec<u64>>());
    assert_eq!(buffers[0][0], 320);
}

#[test]
fn fragments_that_only_read_share_the_buffers() {
    let shader = compiled(READER);
    let mut draw = draw(&shader, 8, 40);
    assert_eq!(colours(&shader, &draw, 3), (vec![0; 320], vec![]));
    draw.buffers = vec![vec![1, 42]];
    assert_eq!(colours(&shader, &draw, 3), (vec![42; 320], vec![]));
}

#[test]
fn a_missing_buffer_is_named() {
    let shader = compiled(READER);
    let draw = Draw { buffers: vec![], ..draw(&shader, 4, 4) };
    let diags = run_draw(&shader, &draw, &Workers::serial(), Control::default()).unwrap_err().diags;
    assert_eq!(diags.len(), 1, "{diags:#?}");
    assert!(diags[0].code == "draw-buffer" && diags[0].message.contains("`B`"), "{diags:#?}");
}

#[test]
fn a_quad_by_name_leaves_its_buffers_behind() {
    let shader = compiled(TICKETS);
    let case = LaneCase { covered: [true, false, true, true], ..LaneCase::default() };
    let mut buffers = [vec![5]];
    let lanes = run_lanes_in(&shader, &case, &mut buffers).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let tickets = [0, 2, 3].map(|lane: usize| lanes[lane].register("OUT[0]").expect("an output")[0].expect("x").bits);
    assert_eq!((tickets, buffers), ([5, 6, 7], [vec![8]]));
}
