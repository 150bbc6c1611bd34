; test opt apply_rewrites ieee
; Choices between predicates and opposite comparisons.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = feq %0, %1 under p0
  %3: pred = pnot %2
  %4: pred = flt %0, %1 under p0
  %5: pred = pnot %4
  %6: pred = lit true
  %7: pred = lit false
  %8: pred = select %5, %6, %7
  %9: pred = select %3, %6, %4
  %10: i32 = lit 1
  %11: i32 = lit 2
  %12: i32 = select %8, %10, %11
  %13: i32 = select %9, %10, %11
  out o0.x, %12
  out o0.y, %13
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) i32 i32 i32 i32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: p0 = attr in0.y
;   %2: pred = feq %0, %1 under p0
;   %3: pred = fne %0, %1 under p0
;   %4: pred = flt %0, %1 under p0
;   %5: pred = pnot %4
;   %6: pred = lit true
;   %7: pred = lit false
;   %8: pred = pnot %4
;   %9: pred = por %3, %4
;   %10: i32 = lit 1
;   %11: i32 = lit 2
;   %12: i32 = select %4, %11, %10
;   %13: i32 = select %9, %10, %11
;   out o0.x, %12
;   out o0.y, %13
;   yield
; }
