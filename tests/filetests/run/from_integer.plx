; test run ieee
; Integer to float, in binary32 and half.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 fp32 half half
  slot p0 = fp32
  slot p1 = half
  %0: i32 = attr in0.x
  %1: p0 = i2f %0
  %2: p0 = u2f %0
  %3: p1 = i2f %0
  %4: p1 = u2f %0
  out o0.x, %1
  out o0.y, %2
  out o0.z, %3
  out o0.w, %4
  yield
}
; run: in0.x=[0x1000001, 0xffffffff, 0x7fffffff, 0x0001ffff] == o0.x=[0x1p24, -0x1p0, 0x1p31, 0x1.ffffp16] o0.y=[0x1p24, 0x1p32, 0x1p31, 0x1.ffffp16] o0.z=[inf, -0x1p0, inf, inf] o0.w=inf
; run nv40: in0.x=[0x1000001, 0xffffffff, 0x7fffffff, 0x0001ffff] == o0.x=[0x1p24, -0x1p0, 0x1p31, 0x1.ffffp16] o0.y=[0x1p24, 0x1p32, 0x1p31, 0x1.ffffp16] o0.z=[inf, -0x1p0, inf, inf] o0.w=inf
