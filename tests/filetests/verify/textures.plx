; test verify
; Lookups have 4 operands of one format, 10 with derivatives, integers to fetch; units are declared.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  texture 0 d2
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  slot p1 = half
  %0: p0 = attr in0.x
  %1: p1 = attr in0.x
  %2: i32 = lit 0
  %3: p1, %4: p1, %5: p1, %6: p1 = tex implicit d2 unit(0) %0, %0, %0, %0
  %7: p0, %8: p0, %9: p0, %10: p0 = tex implicit d2 unit(0) %0, %0, %0, %1
  %11: p0, %12: p0, %13: p0, %14: p0 = tex grad d2 unit(0) %0, %0, %0, %0
  %15: p0, %16: p0, %17: p0, %18: p0 = tex fetch d2 unit(0) %0, %0, %0, %0
  %19: p0, %20: p0, %21: p0, %22: p0 = tex fetch d2 unit(0) %2, %2, %2, %2
  %23: p0, %24: p0, %25: p0, %26: p0 = tex implicit d3 unit(0) %0, %0, %0, %0
  %27: p0 = tex level d2 unit(0) %0, %0, %0, %0
  yield
}
; error[ir-operands] `%7 = tex`: operand 3 is half, expected fp32
; error[ir-operands] `%11 = tex`: expected 10 operands, found 4
; error[ir-operands] `%15 = tex`: operand 0 is fp32, expected i32
; error[ir-operands] `%15 = tex`: operand 1 is fp32, expected i32
; error[ir-operands] `%15 = tex`: operand 2 is fp32, expected i32
; error[ir-operands] `%15 = tex`: operand 3 is fp32, expected i32
; error[ir-interface] `%23 = tex`: texture unit 0 is not declared as d3
; error[ir-results] `%27 = tex`: expected 4 results, found 1
