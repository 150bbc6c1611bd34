; test run ieee
; Fuel is counted over all loops: what an earlier loop took is gone.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = loop ^0 (%4: i32 = %1) initial(%1) {
    %5: pred = ieq %4, %0
    if %5 {
      break ^0 %4
    } else {
      yield
    }
    %6: i32 = iadd %4, %2
    continue ^0 %6
  }
  %7: i32 = lit 2
  %8: i32 = loop ^1 (%9: i32 = %1) initial(%1) {
    %10: pred = ieq %9, %7
    if %10 {
      break ^1 %9
    } else {
      yield
    }
    %11: i32 = iadd %9, %2
    continue ^1 %11
  }
  out o0.x, %3
  out o0.y, %8
  yield
}
; run: in0.x=[0x0, 0x1, 0x2, 0x5] fuel=0x3 == o0.x=[0, 1, 2, 0] o0.y=[2, 2, 0, 0] o0.z=0 o0.w=0 dry=[0, 0, 1, 1]
