; test canonicalise
; Stores nobody can load are dead.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  array a0 "A" fp32 len(2)
  array a1 "B" fp32 len(2)
  %0: p0 = attr in0.x
  %1: i32 = lit 1
  store a0[%1], %0
  store a1[%1], %0
  %2: fp32 = load a0[%1]
  %3: fp32 = load a1[%1]
  out o0.x, %3
  yield
}
; shader "t" stage(fragment) from("test") {
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   array a0 "A" fp32 len(2)
;   array a1 "B" fp32 len(2)
;   %0: p0 = attr in0.x
;   %1: i32 = lit 1
;   store a1[%1], %0
;   %2: fp32 = load a1[%1]
;   out o0.x, %2
;   yield
; }
