; test opt drop_dead ieee
; Without control: values nobody reads, outputs written again, stores behind the last load.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  array a0 "TEMP" fp32 len(4)
  array a1 "OTHER" fp32 len(4)
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: i32 = lit 1
  %3: p0 = sqrt %1
  store a0[%2], %0
  store a1[%2], %0
  %4: fp32 = load a0[%2]
  store a0[%2], %1
  out o0.x, %0
  out o0.x, %4
  out o0.y, %4
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   array a0 "TEMP" fp32 len(4)
;   array a1 "OTHER" fp32 len(4)
;   %0: p0 = attr in0.x
;   %1: i32 = lit 1
;   store a0[%1], %0
;   %2: fp32 = load a0[%1]
;   out o0.x, %2
;   out o0.y, %2
;   yield
; }
