; test verify
; Parameters of a loop have the types of its operands.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  loop ^0 (%1: i32 = %0) {
    break ^0
  }
  yield
}
; error[ir-params] `loop` ^1: parameters are (i32), operands (fp32)
