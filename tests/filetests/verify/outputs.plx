; test verify
; An output component has one type.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 - i32 -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: i32 = lit 1
  out o0.x, %0
  out o0.x, %1
  out o0.y, %0
  out o0.z, %1
  yield
}
; error[ir-output] `out` ^3: writes i32, declared is fp32
; error[ir-output] `out` ^4: writes fp32, declared is nothing
