; test opt fold_constants ieee
; Known choices, derivatives and votes of literals, known indices.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = lit true
  %3: fp32 = select %2, %0, %1
  %4: p0 = lit 2.5
  %5: p0 = ddx.fine %4
  %6: pred = quad.any %2
  %7: i32 = lit 2
  %8: p0 = const.at c0[%7 + 1].y
  %9: p0 = const.at c0[%7 - 3].y
  %10: p0 = attr.at in[%7 - 1].z
  %11: i32 = attr.at in[%7].z
  %12: fp32 = select %6, %3, %8
  out o0.x, %12
  out o0.y, %5
  out o0.z, %9
  out o0.w, %10
  out o1.x, %11
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
;   %0: p0 = attr in0.x
;   %1: p0 = attr in0.y
;   %2: pred = lit true
;   %3: fp32 = select %2, %0, %1
;   %4: p0 = lit 0x40200000
;   %5: p0 = lit 0x0
;   %6: pred = quad.any %2
;   %7: i32 = lit 2
;   %8: p0 = const c0[3].y
;   %9: p0 = lit 0x0
;   %10: p0 = attr in1.z
;   %11: i32 = lit 0
;   %12: fp32 = select %2, %0, %8
;   out o0.x, %0
;   out o0.y, %5
;   out o0.z, %9
;   out o0.w, %10
;   out o1.x, %11
;   yield
; }
