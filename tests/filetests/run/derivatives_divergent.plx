; test run ieee
; A branch taken by some lanes: ordinary values stand in all four lanes, so a derivative sees what its neighbours would compute.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = lit 0
  %3: pred = fgt %1, %2 under p0
  if %3 {
    %4: p0 = mul %0, %0
    %5: p0 = ddx.fine %4
    out o0.x, %5
    yield
  } else {
    %6: p0 = neg %0
    %7: p0 = ddy.fine %6
    out o0.y, %7
    yield
  }
  yield
}
; run: in0.x=[1, 3, 10, 40] in0.y=[1, 0, 0, 1] == o0.x=[0x1p3, 0x0p0, 0x0p0, 0x1.77p10] o0.y=[0x0p0, -0x1.28p5, -0x1.2p3, 0x0p0] o0.z=0x0p0 o0.w=0x0p0
