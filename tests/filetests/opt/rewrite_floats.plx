; test opt apply_rewrites ieee
; Neutral operands go where the rule allows it.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = lit 1
  %3: p0 = lit -0x0p0
  %4: p0 = lit 0
  %5: p0 = mul %0, %2
  %6: p0 = add %3, %5
  %7: p0 = sub %6, %4
  %8: p0 = mad %7, %2, %1
  %9: p0 = mul %8, %4
  %10: p0 = cvt %9
  %11: p0 = neg %10
  %12: p0 = neg %11
  %13: p0 = abs %11
  out o0.x, %8
  out o0.y, %12
  out o0.z, %13
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
;   %1: p0 = attr in0.y
;   %2: p0 = lit 0x3f800000
;   %3: p0 = lit 0x80000000
;   %4: p0 = lit 0x0
;   %5: p0 = mul %0, %2
;   %6: p0 = add %3, %5
;   %7: p0 = sub %5, %4
;   %8: p0 = mad %5, %2, %1
;   %9: p0 = mul %8, %4
;   %10: p0 = cvt %9
;   %11: p0 = neg %9
;   %12: p0 = neg %11
;   %13: p0 = abs %9
;   out o0.x, %8
;   out o0.y, %9
;   out o0.z, %13
;   yield
; }
