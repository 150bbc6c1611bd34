; test run ieee
; A back edge takes three units of fuel. What is left when that is too little is lost.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) i32 i32 - -
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = loop cost(3) ^0 (%4: i32 = %1) initial(%2) {
    %5: i32 = iadd %4, %2
    out o0.x, %5
    %6: pred = ile %0, %5
    if %6 {
      break ^0 %5
    } else {
      yield
    }
    continue ^0 %5
  }
  %7: i32 = loop ^1 (%8: i32 = %1) initial(%2) {
    %9: i32 = iadd %8, %2
    %10: pred = ile %2, %8
    if %10 {
      break ^1 %9
    } else {
      yield
    }
    continue ^1 %9
  }
  %11: i32 = iadd %3, %7
  out o0.y, %11
  yield
}
; run: in0.x=[0x1, 0x2, 0x3, 0x4] fuel=0x8 == o0.x=[1, 2, 3, 3] o0.y=[3, 4, 5, 2] dry=[0, 0, 0, 1]
; run: in0.x=0x9 fuel=0x8 == o0.x=3 o0.y=2 dry=1
