; test run ieee
; `select` moves bits, NaN of every kind too.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 i32 half pred
  slot p0 = fp32
  slot p1 = half
  %0: p0 = attr in0.x
  %1: i32 = attr in0.y
  %2: p0 = bits.to %1
  %3: pred = fgt %0, %0 under p0
  %4: i32 = sys quad_lane
  %5: i32 = lit 2
  %6: pred = ult %4, %5
  %7: fp32 = select %6, %2, %0
  %8: i32 = select %6, %4, %1
  %9: p1 = lit 0x1p0
  %10: p1 = lit nan:0x7d01
  %11: half = select %6, %9, %10
  %12: pred = select %6, %6, %3
  out o0.x, %7
  out o0.y, %8
  out o0.z, %11
  out o0.w, %12
  yield
}
; run: in0.x=1 in0.y=[0x7f800001, 0xffc00001, 0x1, 0x2] == o0.x=[nan:0x7f800001, nan:0xffc00001, 0x1p0, 0x1p0] o0.y=[0, 1, 1, 2] o0.z=[0x1p0, 0x1p0, nan:0x7d01, nan:0x7d01] o0.w=[1, 1, 0, 0]
