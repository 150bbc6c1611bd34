; test bind binary64
; The binary64 model holds every float in binary64.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  slot p1 = half
  slot p2 = fx12
  %0: p0 = lit 0x1p0
  %1: p1 = lit 0x1.8p-1
  %2: p2 = lit -0x1p0
  %3: p1 = cvt %0
  %4: p0 = attr in0.x
  out o0.x, %4
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "binary64"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   slot p1 = half
;   slot p2 = fx12
;   %0: p0 = lit 0x3ff0000000000000
;   %1: p1 = lit 0x3fe8000000000000
;   %2: p2 = lit 0xbff0000000000000
;   %3: p1 = cvt %0
;   %4: p0 = attr in0.x
;   out o0.x, %4
;   yield
; }
