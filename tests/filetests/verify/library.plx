; test verify
; Functions of a library have as many operands as the function, of the format of their slot.
shader "t" stage(fragment) from("test") {
  output 0 "OUT[0]" color(0) fp32 - - -
  slot p0 = fp32
  slot p1 = half
  %0: p0 = lit 0x1p0
  %1: p1 = lit 0x1p0
  %2: p0 = library.asin %0, %0
  %3: p0 = library.atan2 %0
  %4: p0 = library.tanh %1
  out o0.x, %4
  yield
}
; error[ir-operands] `%2 = library.asin`: expected 1 operands, found 2
; error[ir-operands] `%3 = library.atan2`: expected 2 operands, found 1
; error[ir-operands] `%4 = library.tanh`: operand 0 is half, expected fp32
