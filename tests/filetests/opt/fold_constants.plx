; test opt fold_constants ieee
; Ops on literals.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: p0 = lit 1.5
  %1: p0 = lit 0.1
  %2: p0 = mul %0, %1
  %3: p0 = sin %2
  %4: pred = fgt %3, %0 under p0
  %5: i32 = lit 7
  %6: i32 = lit 0
  %7: i32 = udiv %5, %5
  out o0.x, %3
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   output 1 "OUT[1]" generic(0) i32 i32 i32 i32
;   slot p0 = fp32
;   %0: p0 = lit 0x3fc00000
;   %1: p0 = lit 0x3dcccccd
;   %2: p0 = lit 0x3e19999a
;   %3: p0 = lit 0x3e190650
;   %4: pred = lit false
;   %5: i32 = lit 7
;   %6: i32 = lit 0
;   %7: i32 = lit 1
;   out o0.x, %3
;   yield
; }
