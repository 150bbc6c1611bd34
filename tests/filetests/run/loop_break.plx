; test run ieee
; Each lane leaves in its own iteration with its own results.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32, %4: i32 = loop ^0 (%5: i32 = %1, %6: i32 = %2) initial(%1, %1) {
    %7: pred = ile %0, %5
    if %7 {
      break ^0 %5, %6
    } else {
      yield
    }
    %8: i32 = iadd %5, %2
    %9: i32 = iadd %6, %6
    continue ^0 %8, %9
  }
  out o0.x, %3
  out o0.y, %4
  yield
}
; run: in0.x=[0x0, 0x1, 0x5, 0x1f] == o0.x=[0, 1, 5, 31] o0.y=[1, 2, 32, 0x80000000] o0.z=0 o0.w=0
; run: in0.x=0xffffffff == o0.x=0 o0.y=1 o0.z=0 o0.w=0
