; test run amd-gcn
; Reading is no operation: MIN decides what becomes of a denormal that it is given, and integers see a word as it is. Where a format has
; not every value of binary32 (R300), reading converts.
shader "reads" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  bank 0 "CONST[0]" len(1)
  output 0 "OUT[0]" color(0) fp32 fp32 i32 i32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = const c0[0].x
  %2: p0 = lit 0x1
  %3: p0 = min %0, %1
  %4: p0 = min %2, %1
  %5: i32 = bits.of %0 under p0
  %6: i32 = bits.of %2 under p0
  out o0.x, %3
  out o0.y, %4
  out o0.z, %5
  out o0.w, %6
  yield
}
; run: c0[0].x=2 in0.x=[0x1, 0x7f800001, inf, 3] == o0.x=[0x1p-149, 0x1p1, 0x1p1, 0x1p1] o0.y=0x1p-149 o0.z=[1, 0x7f800001, 0x7f800000, 0x40400000] o0.w=1
; run apple-agx: c0[0].x=2 in0.x=[0x1, 0x7f800001, inf, 3] == o0.x=[0x1p-149, 0x1p1, 0x1p1, 0x1p1] o0.y=0x1p-149 o0.z=[1, 0x7f800001, 0x7f800000, 0x40400000] o0.w=1
; run ati-r300: c0[0].x=2 in0.x=[0x1, 0x7f800001, inf, 3] == o0.x=[0x0p0, 0x1p1, 0x1p1, 0x1p1] o0.y=0x0p0 o0.z=[0, 0xffc00000, 0x7f800000, 0x40400000] o0.w=0
; run d3d9: c0[0].x=2 in0.x=[0x1, 0x7f800001, inf, 3] == o0.x=[0x1p-149, 0x1p1, 0x1p1, 0x1p1] o0.y=0x1p-149 o0.z=[1, 0x7f800001, 0x7f800000, 0x40400000] o0.w=1
