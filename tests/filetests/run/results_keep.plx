; test run ieee
; A branch result changes in executing lanes only: the others keep what they had, here from the round before.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = sys quad_lane
  %1: i32 = lit 1
  %2: i32 = lit 0
  %3: i32 = loop ^0 (%4: i32 = %2) {
    %5: pred = ule %4, %0
    if %5 {
      %6: pred = ieq %4, %0
      %7: i32 = if %6 {
        %8: i32 = lit 100
        yield %8
      } else {
        %9: i32 = iadd %4, %0
        yield %9
      }
      %10: i32 = quad.xor 1, %7
      out o0.x, %10
      yield
    } else {
      break ^0 %4
    }
    %11: i32 = iadd %4, %1
    continue ^0 %11
  }
  out o0.y, %3
  yield
}
; run: == o0.x=[1, 100, 5, 100] o0.y=[1, 2, 3, 4] o0.z=0 o0.w=0
