; test run ieee
; Branches in branches; outputs keep what the last executing lane wrote.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = sys quad_lane
  %1: i32 = lit 1
  %2: i32 = lit 2
  %3: pred = ult %0, %2
  %4: i32 = iand %0, %1
  %5: i32 = lit 0
  %6: pred = ieq %4, %5
  out o0.x, %0
  %7: i32 = if %3 initial(%5) {
    %8: i32 = if %6 initial(%5) {
      %9: i32 = lit 10
      out o0.x, %9
      yield %9
    } else {
      %10: i32 = lit 20
      yield %10
    }
    yield %8
  } else {
    %11: i32 = lit 30
    out o0.x, %11
    yield %11
  }
  out o0.y, %7
  yield
}
; run: == o0.x=[10, 1, 30, 30] o0.y=[10, 20, 30, 30] o0.z=0 o0.w=0
