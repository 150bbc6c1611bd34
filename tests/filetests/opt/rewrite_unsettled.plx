; test opt apply_rewrites ieee
; A pattern moved in may be a signalling NaN: adding -0 would quiet it.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: p0 = bits.to %0
  %2: p0 = lit -0x0p0
  %3: p0 = add %1, %2
  %4: p0 = cvt %1
  %5: i32 = bits.of %1 under p0
  %6: p0 = bits.to %5
  out o0.x, %3
  out o0.y, %4
  out o0.z, %6
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: i32 = attr in0.x
;   %1: p0 = bits.to %0
;   %2: p0 = lit 0x80000000
;   %3: p0 = add %1, %2
;   %4: p0 = cvt %1
;   %5: i32 = bits.of %1 under p0
;   %6: p0 = bits.to %0
;   out o0.x, %3
;   out o0.y, %4
;   out o0.z, %6
;   yield
; }
