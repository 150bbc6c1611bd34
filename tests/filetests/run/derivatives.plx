; test run ieee
; Fine and coarse, across and down; uncovered lanes are helpers and count.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = ddx %0
  %2: p0 = ddx.fine %0
  %3: p0 = ddy %0
  %4: p0 = ddy.fine %0
  out o0.x, %1
  out o0.y, %2
  out o0.z, %3
  out o0.w, %4
  yield
}
; run: in0.x=[1, 3, 10, 40] == o0.x=0x1.ep4 o0.y=[0x1p1, 0x1p1, 0x1.ep4, 0x1.ep4] o0.z=0x1.2p3 o0.w=[0x1.2p3, 0x1.28p5, 0x1.2p3, 0x1.28p5]
; run: in0.x=[1, 3, 10, 40, 0, 1, inf, -inf] covered=[0x1, 0x0, 0x0, 0x0, 0x1, 0x1, 0x1, 0x1] == o0.x=[0x1.ep4, _, _, _, -inf, -inf, -inf, -inf] o0.y=[0x1p1, _, _, _, 0x1p0, 0x1p0, -inf, -inf] o0.z=[0x1.2p3, _, _, _, inf, inf, inf, inf] o0.w=[0x1.2p3, _, _, _, inf, -inf, inf, -inf]
