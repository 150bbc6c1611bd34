; test run ieee
; Discard, outputs and votes in order: a lane that left takes no part in what follows.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = sys quad_lane
  %1: i32 = lit 1
  %2: i32 = lit 3
  %3: pred = ieq %0, %2
  block ^0 {
    if %3 {
      break ^0
    } else {
      yield
    }
    %4: pred = quad.all %3
    %5: i32 = lit 5
    %6: i32 = lit 6
    %7: i32 = select %4, %5, %6
    out o0.x, %7
    discard %4
    yield
  }
  %8: pred = quad.any %3
  %9: i32 = select %8, %1, %2
  out o0.y, %9
  yield
}
; run: == o0.x=[6, 6, 6, 0] o0.y=1 o0.z=0 o0.w=0
