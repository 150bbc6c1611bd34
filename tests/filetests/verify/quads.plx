; test verify
; Masks are 1 to 3.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: fp32 = quad.xor 0, %0
  %2: fp32 = quad.xor 3, %0
  %3: fp32 = quad.xor 4, %0
  %4: i32 = quad.xor 1, %0
  yield
}
; error[ir-quad] `%1 = quad.xor`: mask 0
; error[ir-quad] `%3 = quad.xor`: mask 4
; error[ir-results] `%4 = quad.xor`: result 0 is i32, expected fp32
