; test opt apply_rewrites ieee
; Integers and predicates.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = lit 0
  %3: i32 = lit 1
  %4: i32 = lit 0xffffffff
  %5: i32 = iadd %2, %0
  %6: i32 = imul %5, %3
  %7: i32 = ixor %6, %4
  %8: i32 = inot %7
  %9: i32 = ineg %1
  %10: i32 = iadd %9, %8
  %11: pred = ilt %0, %1
  %12: pred = pnot %11
  %13: pred = lit true
  %14: pred = pand %12, %13
  %15: pred = pnot %14
  %16: i32 = select %14, %10, %1
  %17: i32 = umod %16, %3
  %18: i32 = isub %0, %0
  out o0.x, %10
  out o0.y, %16
  out o0.z, %17
  out o0.w, %18
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) i32 i32 i32 i32
;   slot p0 = fp32
;   %0: i32 = attr in0.x
;   %1: i32 = attr in0.y
;   %2: i32 = lit 0
;   %3: i32 = lit 1
;   %4: i32 = lit 0xffffffff
;   %5: i32 = iadd %2, %0
;   %6: i32 = imul %0, %3
;   %7: i32 = inot %0
;   %8: i32 = inot %7
;   %9: i32 = ineg %1
;   %10: i32 = isub %0, %1
;   %11: pred = ilt %0, %1
;   %12: pred = ile %1, %0
;   %13: pred = lit true
;   %14: pred = pand %12, %13
;   %15: pred = ilt %0, %1
;   %16: i32 = select %12, %10, %1
;   %17: i32 = lit 0
;   %18: i32 = lit 0
;   out o0.x, %10
;   out o0.y, %16
;   out o0.z, %17
;   out o0.w, %18
;   yield
; }
