; test run ieee
; Elements are per lane and start as zero bits; out of range a load gives zero and a store does nothing.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  array a0 "A" fp32 len(3)
  array a1 "B" i32 len(2)
  %0: p0 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = lit 1
  %3: fp32 = load a0[%2]
  store a0[%1], %0
  %4: fp32 = load a0[%1]
  %5: fp32 = load a0[%2]
  %6: i32 = lit 0xffffffff
  %7: fp32 = load a0[%6]
  out o0.x, %3
  out o0.y, %4
  out o0.z, %5
  out o0.w, %7
  yield
}
; run: in0.x=[1.5, 2.5, 3.5, 4.5] in0.y=[0x0, 0x1, 0x2, 0x3] == o0.x=0x0p0 o0.y=[0x1.8p0, 0x1.4p1, 0x1.cp1, 0x0p0] o0.z=[0x0p0, 0x1.4p1, 0x0p0, 0x0p0] o0.w=0x0p0
