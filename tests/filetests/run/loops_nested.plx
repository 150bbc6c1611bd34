; test run ieee
; `break` and `continue` of the outer loop from the inner one.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = lit 3
  %4: i32 = loop ^0 (%5: i32 = %1, %6: i32 = %1) initial(%1) {
    %7: i32 = iadd %5, %2
    %8: i32 = loop ^1 (%9: i32 = %1, %10: i32 = %6) initial(%1) {
      %11: i32 = iadd %10, %9
      %12: pred = ieq %11, %0
      if %12 {
        break ^0 %11
      } else {
        yield
      }
      %13: pred = ieq %9, %5
      if %13 {
        break ^1 %11
      } else {
        yield
      }
      %14: i32 = iadd %9, %2
      %15: pred = ile %3, %14
      if %15 {
        continue ^0 %7, %11
      } else {
        yield
      }
      continue ^1 %14, %11
    }
    %16: i32 = lit 20
    %17: pred = ile %16, %8
    if %17 {
      break ^0 %8
    } else {
      yield
    }
    continue ^0 %7, %8
  }
  out o0.x, %4
  yield
}
; run: in0.x=[0x0, 0x3, 0x63, 0xa] == o0.x=[0, 0, 0, 10] o0.y=0 o0.z=0 o0.w=0 dry=[0, 1, 1, 0]
