; test opt fold_constants tgsi-mul-zero-wins
; Folding obeys the model: here zero times infinity is zero.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = lit 0
  %1: p0 = lit inf
  %2: p0 = mul %0, %1
  out o0.x, %2
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "tgsi-mul-zero-wins"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = lit 0x0
;   %1: p0 = lit 0x7f800000
;   %2: p0 = lit 0x0
;   out o0.x, %2
;   yield
; }
