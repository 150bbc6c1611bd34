; test run ieee
; A lane without fuel leaves its loop with the initial operands, goes on, and its status says so.
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
    out o0.z, %4
    %6: i32 = iadd %4, %2
    continue ^0 %6
  }
  %7: i32 = iadd %3, %2
  out o0.x, %3
  out o0.y, %7
  yield
}
; run: in0.x=[0x0, 0x3, 0x4, 0xffffffff] fuel=0x3 == o0.x=[0, 3, 0, 0] o0.y=[1, 4, 1, 1] o0.z=[0, 2, 3, 3] o0.w=0 dry=[0, 0, 1, 1]
; run: in0.x=0x1 fuel=0x0 == o0.x=0 o0.y=1 o0.z=0 o0.w=0 dry=1
; run: in0.x=[0x0, 0x3, 0x4, 0xffffffff] == o0.x=[0, 3, 4, 0] o0.y=[1, 4, 5, 1] o0.z=[0, 2, 3, 0x10000] o0.w=0 dry=[0, 0, 0, 1]
