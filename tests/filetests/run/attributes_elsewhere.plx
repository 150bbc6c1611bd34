; test run ieee
; Attributes at samples, at offsets and at the centroid: where no such place is known, the value at the place declared.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" generic(0) i32 fp32 i32 fp32
  slot p0 = fp32
  %0: i32 = attr in0.y
  %1: i32 = attr.sample in0.x, %0
  %2: p0 = attr.sample in0.x, %0
  %3: i32 = attr.offset in0.x, %0, %0
  %4: p0 = attr.centroid in0.x
  out o0.x, %1
  out o0.y, %2
  out o0.z, %3
  out o0.w, %4
  yield
}
; run: in0.x=[1, 2, 3, 4] in0.y=[0x1, 0x2, 0x3, 0x4] == o0.x=[0x3f800000, 0x40000000, 0x40400000, 0x40800000] o0.y=[0x1p0, 0x1p1, 0x1.8p1, 0x1p2] o0.z=[0x3f800000, 0x40000000, 0x40400000, 0x40800000] o0.w=[0x1p0, 0x1p1, 0x1.8p1, 0x1p2]
