; test run ieee
; Votes ask the executing lanes of the quad.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) pred pred pred pred
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: pred = ine %0, %1
  %3: pred = quad.any %2
  %4: pred = quad.all %2
  out o0.x, %3
  out o0.y, %4
  %5: i32 = sys quad_lane
  %6: pred = ieq %5, %1
  block ^0 {
    if %6 {
      break ^0
    } else {
      yield
    }
    %7: pred = quad.any %2
    %8: pred = quad.all %2
    out o0.z, %7
    out o0.w, %8
    yield
  }
  yield
}
; run: in0.x=[0x1, 0x0, 0x0, 0x0] == o0.x=1 o0.y=0 o0.z=0 o0.w=0
; run: in0.x=[0x0, 0x1, 0x1, 0x1] == o0.x=1 o0.y=0 o0.z=[0, 1, 1, 1] o0.w=[0, 1, 1, 1]
; run: in0.x=[0x1, 0x1, 0x1, 0x1, 0x0, 0x0, 0x0, 0x0] == o0.x=[1, 1, 1, 1, 0, 0, 0, 0] o0.y=[1, 1, 1, 1, 0, 0, 0, 0] o0.z=[0, 1, 1, 1, 0, 0, 0, 0] o0.w=[0, 1, 1, 1, 0, 0, 0, 0]
