; test bind adreno
; Mesa asks for multiply-adds, also where the program forbids to fuse, and for a clamp in the quotient. Halves go through binary32.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 half - -
  slot p0 = fp32
  slot p1 = fp32.precise
  slot p2 = half
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p1 = library.smoothstep %0, %1, %2
  %4: p2 = cvt %0
  %5: p2 = library.acos %4
  out o0.x, %3
  out o0.y, %5
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "adreno"
;   attr 0 "IN[0]" generic(0) perspective center
;   output 0 "OUT[0]" color(0) fp32 half - -
;   slot p0 = fp32
;   slot p1 = fp32.precise
;   slot p2 = half
;   slot p3 = fp32.precise.sat
;   %0: p0 = attr in0.x
;   %1: p0 = attr in0.y
;   %2: p0 = attr in0.z
;   %3: p1 = sub %2, %0
;   %4: p1 = sub %1, %0
;   %5: p0 = lit 0x40000000
;   %6: p0 = lit 0x40400000
;   %7: p3 = div %3, %4
;   %8: p1 = neg %5
;   %9: p0 = mad %8, %7, %6
;   %10: p1 = mul %7, %9
;   %11: p1 = mul %7, %10
;   %12: p2 = cvt %0
;   %13: p0 = cvt %12
;   %14: p0 = abs %13
;   %15: p0 = lit 0x3f800000
;   %16: p0 = lit 0x3fc90fdb
;   %17: p0 = lit 0xbcc19a5f
;   %18: p0 = lit 0x3da68d87
;   %19: p0 = mad %14, %17, %18
;   %20: p0 = lit 0xbe5bc094
;   %21: p0 = mad %14, %19, %20
;   %22: p0 = lit 0x3fc90fdb
;   %23: p0 = mad %14, %21, %22
;   %24: p0 = sub %15, %14
;   %25: p0 = sqrt %24
;   %26: p0 = neg %25
;   %27: p0 = mad %26, %23, %16
;   %28: p0 = sign %13
;   %29: p0 = mul %28, %27
;   %30: p2 = cvt %29
;   %31: p2 = lit 0x3e48
;   %32: p2 = sub %31, %30
;   out o0.x, %11
;   out o0.y, %32
;   yield
; }
