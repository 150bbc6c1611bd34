; test bind nv-patent
; A literal is converted once, when the model is known: denormals are flushed where it says so.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  slot p1 = half
  slot p2 = fx12
  %0: p0 = lit 0x1p-130
  %1: p0 = lit nan:0x7f800001
  %2: p1 = lit 0x1p-24
  %3: p2 = lit 0x1.ffcp0
  out o0.x, %0
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "nv-patent"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   slot p1 = half
;   slot p2 = fx12
;   %0: p0 = lit 0x80000
;   %1: p0 = lit 0x7f800001
;   %2: p1 = lit 0x1
;   %3: p2 = lit 0x7ff
;   out o0.x, %0
;   yield
; }
