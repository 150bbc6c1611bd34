; test opt all ieee
; All passes: a lighting term with a guard, repeated reads, and a constant subexpression.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = const c0[0].x
  %3: p0 = lit 0.5
  %4: p0 = lit 0.25
  %5: p0 = add %3, %4
  %6: p0 = mul %0, %2
  %7: p0 = const c0[0].x
  %8: p0 = mul %0, %7
  %9: p0 = lit 0
  %10: pred = fgt %6, %9 under p0
  %11: fp32 = if %10 initial(%9) {
    %12: p0 = mul %8, %5
    yield %12
  } else {
    yield %9
  }
  %13: p0 = lit 1
  %14: p0 = mul %11, %13
  %15: fp32, %16: fp32 = if %10 initial(%9, %9) {
    yield %14, %1
  } else {
    yield %14, %0
  }
  out o0.x, %15
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: p0 = const c0[0].x
;   %2: p0 = lit 0x3f400000
;   %3: p0 = mul %0, %1
;   %4: p0 = lit 0x0
;   %5: pred = fgt %3, %4 under p0
;   %6: p0 = mul %3, %2
;   %7: fp32 = select %5, %6, %4
;   out o0.x, %7
;   yield
; }
