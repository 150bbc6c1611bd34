; test run ieee
; The body has 37 ops, so that a back edge takes two units of fuel, whatever is left of it: of five, two are taken, and what is left
; is too little.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) i32 i32 - -
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = loop ^0 (%4: i32 = %1) initial(%2) {
    %5: i32 = iadd %4, %2
    out o0.x, %5
    %6: pred = ile %0, %5
    if %6 {
      break ^0 %5
    } else {
      yield
    }
    %7: i32 = iadd %5, %0
    %8: i32 = iadd %7, %0
    %9: i32 = iadd %8, %0
    %10: i32 = iadd %9, %0
    %11: i32 = iadd %10, %0
    %12: i32 = iadd %11, %0
    %13: i32 = iadd %12, %0
    %14: i32 = iadd %13, %0
    %15: i32 = iadd %14, %0
    %16: i32 = iadd %15, %0
    %17: i32 = iadd %16, %0
    %18: i32 = iadd %17, %0
    %19: i32 = iadd %18, %0
    %20: i32 = iadd %19, %0
    %21: i32 = iadd %20, %0
    %22: i32 = iadd %21, %0
    %23: i32 = iadd %22, %0
    %24: i32 = iadd %23, %0
    %25: i32 = iadd %24, %0
    %26: i32 = iadd %25, %0
    %27: i32 = iadd %26, %0
    %28: i32 = iadd %27, %0
    %29: i32 = iadd %28, %0
    %30: i32 = iadd %29, %0
    %31: i32 = iadd %30, %0
    %32: i32 = iadd %31, %0
    %33: i32 = iadd %32, %0
    %34: i32 = iadd %33, %0
    %35: i32 = iadd %34, %0
    %36: i32 = iadd %35, %0
    continue ^0 %5
  }
  out o0.y, %3
  yield
}
; run: in0.x=[0x1, 0x2, 0x3, 0x4] fuel=0x5 == o0.x=[1, 2, 3, 3] o0.y=[1, 2, 3, 1] dry=[0, 0, 0, 1]
; run: in0.x=0x9 fuel=0x5 == o0.x=3 o0.y=1 dry=1
