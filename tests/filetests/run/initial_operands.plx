; test run ieee
; Lanes that do not execute a branch or block hold the initial operand, each time anew; lanes that do not execute a loop
; hold the first values of its parameters.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = sys quad_lane
  %1: i32 = lit 1
  %2: i32 = lit 0
  %3: i32 = loop ^0 (%4: i32 = %2) initial(%2) {
    %5: pred = ule %4, %0
    if %5 {
      %6: pred = ieq %4, %0
      %7: i32 = lit 50
      %8: i32 = iadd %4, %7
      %9: i32 = if %6 initial(%8) {
        %10: i32 = lit 100
        yield %10
      } else {
        %11: i32 = iadd %4, %0
        yield %11
      }
      %12: i32 = quad.xor 1, %9
      out o0.x, %12
      %13: i32 = block ^1 initial(%8) {
        yield %0
      }
      %14: i32 = quad.xor 1, %13
      out o0.z, %14
      loop ^2 (%15: i32 = %8) {
        %16: i32 = quad.xor 1, %15
        out o0.w, %16
        break ^2
      }
      yield
    } else {
      break ^0 %4
    }
    %17: i32 = iadd %4, %1
    continue ^0 %17
  }
  out o0.y, %3
  yield
}
; run: == o0.x=[1, 51, 5, 53] o0.y=[1, 2, 3, 4] o0.z=[1, 51, 3, 53] o0.w=[50, 51, 52, 53]
