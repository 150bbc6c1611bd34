; test verify
; Values are visible from their op to the end of its region, and in regions inside.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: pred = fgt %0, %0 under p0
  %2: fp32 = if %1 initial(%0) {
    %3: p0 = add %0, %0
    yield %3
  } else {
    yield %3
  }
  %4: p0 = add %3, %2
  %5: fp32 = loop ^0 (%6: fp32 = %0) initial(%0) {
    %7: p0 = add %6, %5
    break ^0 %7
  }
  %8: p0 = add %6, %7
  yield
}
; error[ir-dominance] `yield` ^5: operand 0, %3, is not visible here
; error[ir-dominance] `%4 = add`: operand 0, %3, is not visible here
; error[ir-dominance] `%7 = add`: operand 1, %5, is not visible here
; error[ir-dominance] `%8 = add`: operand 0, %6, is not visible here
; error[ir-dominance] `%8 = add`: operand 1, %7, is not visible here
