; test verify
; Elements have the type of the array, indices are i32.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  array a0 "A" fp32 len(2)
  array a1 "B" fp32 len(0)
  %0: p0 = attr in0.x
  %1: i32 = lit 1
  store a0[%1], %0
  store a0[%0], %0
  store a0[%1], %1
  %2: fp32 = load a0[%1]
  %3: i32 = load a0[%1]
  yield
}
; error[ir-array] array a1 has no elements
; error[ir-operands] `store` ^3: operand 0 is fp32, expected i32
; error[ir-operands] `store` ^4: operand 1 is i32, expected fp32
; error[ir-results] `%3 = load`: result 0 is i32, expected fp32
