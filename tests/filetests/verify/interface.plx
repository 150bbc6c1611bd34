; test verify
; Numbers of the interface are declared.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in2.x
  %1: p0 = const c1[0].x
  %2: p0 = const c0[100].x
  out o1.x, %0
  %3: p0, %4: p0, %5: p0, %6: p0 = tex implicit d2 unit(0) %0, %0, %0, %0
  yield
}
; error[ir-interface] `%0 = attr`: attribute 2 of 2
; error[ir-interface] `%1 = const`: bank 1 of 1
; error[ir-interface] `out` ^3: output 1 of 1
; error[ir-interface] `%3 = tex`: texture unit 0 is not declared as d2
