; test run ieee
; Parameters are assigned at once: a swap needs no third value.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = lit 1
  %2: i32 = lit 2
  %3: i32 = lit 0
  %4: i32, %5: i32 = loop ^0 (%6: i32 = %1, %7: i32 = %2, %8: i32 = %3) initial(%3, %3) {
    %9: pred = ieq %8, %0
    if %9 {
      break ^0 %6, %7
    } else {
      yield
    }
    %10: i32 = iadd %8, %1
    continue ^0 %7, %6, %10
  }
  out o0.x, %4
  out o0.y, %5
  yield
}
; run: in0.x=[0x0, 0x1, 0x2, 0x3] == o0.x=[1, 2, 1, 2] o0.y=[2, 1, 2, 1] o0.z=0 o0.w=0
