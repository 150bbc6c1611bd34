; test canonicalise
; Reads of one place under one slot are one where the first is computed before the others; origins unite. Slots and types that
; differ keep them apart, and so do arms of a branch.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  bank 0 "CONST[0]" len(4)
  bank 1 "CONST[1]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 i32
  slot p0 = fp32
  slot p1 = half
  source @0 line(1) offset(0) "one"
  source @1 line(2) offset(4) "two"
  %0: p0 = attr in0.x @0
  %1: p0 = const c0[1].y @0
  %2: p0 = add %0, %1 @0
  %3: p0 = attr in0.x @1
  %4: p0 = const c1[1].y @1
  %5: p0 = add %3, %4 @1
  %6: p1 = attr in0.x
  %7: p0 = cvt %6
  %8: i32 = attr in0.x
  %9: i32 = lit 1
  %10: i32 = iadd %8, %9
  %11: i32 = lit 1
  %12: i32 = iadd %10, %11
  %13: pred = fgt %2, %5 under p0
  %14: fp32 = if %13 initial(%0) {
    %15: p0 = const c0[1].y @1
    %16: p0 = const c0[2].y
    %17: p0 = const c0[2].y
    %18: p0 = mad %15, %16, %17
    yield %18
  } else {
    %19: p0 = const c0[2].y
    %20: p0 = attr in0.x
    %21: p0 = mul %19, %20
    yield %21
  }
  out o0.x, %14
  out o0.y, %7
  out o0.w, %12
  yield
}
; shader "t" stage(fragment) from("test") {
;   attr 0 "IN[0]" generic(0) perspective center
;   bank 0 "CONST[0]" len(4)
;   bank 1 "CONST[1]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 i32
;   slot p0 = fp32
;   slot p1 = half
;   source @0 line(1) offset(0) "one"
;   source @1 line(2) offset(4) "two"
;   %0: p0 = attr in0.x @0 @1
;   %1: p0 = const c0[1].y @0 @1
;   %2: p0 = add %0, %1 @0
;   %3: p0 = const c1[1].y @1
;   %4: p0 = add %0, %3 @1
;   %5: p1 = attr in0.x
;   %6: p0 = cvt %5
;   %7: i32 = attr in0.x
;   %8: i32 = lit 1
;   %9: i32 = iadd %7, %8
;   %10: i32 = iadd %9, %8
;   %11: pred = fgt %2, %4 under p0
;   %12: fp32 = if %11 initial(%0) {
;     %13: p0 = const c0[2].y
;     %14: p0 = mad %1, %13, %13
;     yield %14
;   } else {
;     %15: p0 = const c0[2].y
;     %16: p0 = mul %15, %0
;     yield %16
;   }
;   out o0.x, %12
;   out o0.y, %6
;   out o0.w, %10
;   yield
; }
