; test verify
; A slot stands where the row asks for one, and only there.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  slot p1 = half
  %0: p0 = attr in0.x
  %1: fp32 = attr in0.x
  %2: fp32 = add %0, %0
  %3: pred = fgt %0, %0
  %4: i32 = lit 4 under p0
  %5: i32 = iadd %4, %4 under p0
  %6: half = lit 0 under p0
  %7: fp32 = ddx %0
  yield
}
; error[ir-slot] `%1 = attr`: names no slot
; error[ir-slot] `%2 = add`: names no slot
; error[ir-slot] `%3 = fgt`: names no slot
; error[ir-slot] `%4 = lit`: names slot p0, but needs none
; error[ir-slot] `%5 = iadd`: names slot p0, but needs none
; error[ir-slot] `%6 = lit`: result is half, slot p0 is fp32
; error[ir-slot] `%7 = ddx`: names no slot
