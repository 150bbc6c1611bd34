; test bind swiftshader
; A function becomes steps under its own slot, which belong to its instruction; the last has its value. Literals are plain.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 fp32 - -
  slot p0 = fp32
  slot p1 = fp32.precise
  source @0 line(0) offset(0) "smoothstep"
  source @1 line(0) offset(16) "acosh"
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p1 = library.smoothstep %0, %1, %2 @0
  %4: p0 = library.acosh %0 @1
  out o0.x, %3
  out o0.y, %4
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "swiftshader"
;   attr 0 "IN[0]" generic(0) perspective center
;   output 0 "OUT[0]" color(0) fp32 fp32 - -
;   slot p0 = fp32
;   slot p1 = fp32.precise
;   source @0 line(0) offset(0) "smoothstep"
;   source @1 line(0) offset(16) "acosh"
;   %0: p0 = attr in0.x
;   %1: p0 = attr in0.y
;   %2: p0 = attr in0.z
;   %3: p1 = sub %2, %0 @0
;   %4: p1 = sub %1, %0 @0
;   %5: p1 = div %3, %4 @0
;   %6: p0 = lit 0x0 @0
;   %7: p0 = lit 0x3f800000 @0
;   %8: p1 = max %5, %6 @0
;   %9: p1 = min %8, %7 @0
;   %10: p1 = mul %9, %9 @0
;   %11: p0 = lit 0x40000000 @0
;   %12: p0 = lit 0x40400000 @0
;   %13: p1 = mul %11, %9 @0
;   %14: p1 = sub %12, %13 @0
;   %15: p1 = mul %10, %14 @0
;   %16: p0 = lit 0x3f800000 @1
;   %17: p0 = add %0, %16 @1
;   %18: p0 = sub %0, %16 @1
;   %19: p0 = sqrt %17 @1
;   %20: p0 = sqrt %18 @1
;   %21: p0 = mul %19, %20 @1
;   %22: p0 = add %0, %21 @1
;   %23: p0 = log2 %22 @1
;   %24: p0 = lit 0x3f317218 @1
;   %25: p0 = mul %23, %24 @1
;   out o0.x, %15
;   out o0.y, %25
;   yield
; }
