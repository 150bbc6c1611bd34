; test verify
; Operands have the types of their op's row; float operands the format of the slot.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  slot p1 = half
  %0: p0 = attr in0.x
  %1: p1 = attr in0.y
  %2: i32 = lit 1
  %3: p0 = add %0, %1
  %4: p0 = add %0, %2
  %5: p0 = add %0
  %6: i32 = iadd %0, %2
  %7: pred = pnot %2
  %8: pred = cc.test.eq %0
  %9: p1 = cvt %0
  %10: p1 = cvt %2
  %11: fp32 = select %0, %0, %0
  %12: pred = lit true
  %13: fp32 = select %12, %0, %1
  discard %0
  %14: p0 = const.at c0[%0].x
  %15: p0 = ddx %1
  %16: pred = quad.any %0
  yield
}
; error[ir-operands] `%3 = add`: operand 1 is half, expected fp32
; error[ir-operands] `%4 = add`: operand 1 is i32, expected fp32
; error[ir-operands] `%5 = add`: expected 2 operands, found 1
; error[ir-operands] `%6 = iadd`: operand 0 is fp32, expected i32
; error[ir-operands] `%7 = pnot`: operand 0 is i32, expected pred
; error[ir-operands] `%8 = cc.test.eq`: operand 0 is fp32, expected cc
; error[ir-operands] `%10 = cvt`: operand 0 is i32, expected a float
; error[ir-operands] `%11 = select`: operand 0 is fp32, expected pred
; error[ir-operands] `%13 = select`: operand 2 is half, expected fp32
; error[ir-operands] `discard` ^14: operand 0 is fp32, expected pred
; error[ir-operands] `%14 = const.at`: operand 0 is fp32, expected i32
; error[ir-operands] `%15 = ddx`: operand 0 is half, expected fp32
; error[ir-operands] `%16 = quad.any`: operand 0 is fp32, expected pred
