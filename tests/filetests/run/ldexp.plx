; test run ieee
; Scaling by a power of two, rounded once where the result is denormal.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  output 0 "OUT[0]" generic(0) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: i32 = attr in1.x
  %2: p0 = ldexp %0, %1
  out o0.x, %2
  yield
}
; run: in0.x=[1.5, -3, 1, inf] in1.x=[0x4, 0xfffffffe, 0x80, 0x1] == o0.x=[0x1.8p4, -0x1.8p-1, inf, inf]
