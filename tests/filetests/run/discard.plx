; test run ieee
; Discarded lanes lose coverage and write nothing, but go on for their neighbours.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = lit 0
  %2: pred = flt %0, %1 under p0
  discard %2
  %3: p0 = ddx.fine %0
  out o0.x, %0
  out o0.y, %3
  yield
}
; run: in0.x=[1, -3, 10, 40] == o0.x=[0x1p0, _, 0x1.4p3, 0x1.4p5] o0.y=[-0x1p2, _, 0x1.ep4, 0x1.ep4] o0.z=[0x0p0, _, 0x0p0, 0x0p0] o0.w=[0x0p0, _, 0x0p0, 0x0p0] covered=[1, 0, 1, 1]
; run: in0.x=[1, -3, 10, 40] covered=[0x1, 0x1, 0x0, 0x1] == o0.x=[0x1p0, _, _, 0x1.4p5] o0.y=[-0x1p2, _, _, 0x1.ep4] o0.z=[0x0p0, _, _, 0x0p0] o0.w=[0x0p0, _, _, 0x0p0] covered=[1, 0, 0, 1]
; run: in0.x=-1 == o0.x=_ o0.y=_ o0.z=_ o0.w=_ covered=0
