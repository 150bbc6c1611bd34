; test run ieee
; What the instruction asks for goes before the model: rounding, flushing, zero rule, contraction, clamp, scale.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(1) fp32 fp32 fp32 fp32
  output 2 "OUT[2]" generic(2) fp32 - - -
  slot p0 = fp32
  slot p1 = fp32.rtz
  slot p2 = fp32.rup
  slot p3 = fp32.ftz
  slot p4 = fp32.fmz
  slot p5 = fp32.precise
  slot p6 = fp32.sat
  slot p7 = fp32.x4
  slot p8 = fp32.d8.ssat
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p1 = add %0, %1
  %3: p2 = add %0, %1
  %4: p3 = mul %0, %1
  %5: p4 = mul %0, %1
  %6: p5 = mad %0, %1, %0
  %7: p6 = add %0, %1
  %8: p7 = mul %0, %1
  %9: p8 = mul %0, %1
  out o0.x, %0
  out o0.y, %2
  out o0.z, %3
  out o0.w, %4
  out o1.x, %5
  out o1.y, %6
  out o1.z, %7
  out o1.w, %8
  out o2.x, %9
  yield
}
; run: in0.x=[0.1, 0x1p-130, inf, 3] in0.y=[0.7, 0.5, 0, -0x1.000002p1] == o0.x=[0x1.99999ap-4, 0x1p-130, inf, 0x1.8p1] o0.y=[0x1.999998p-1, 0x1p-1, inf, 0x1.fffff8p-1] o0.z=[0x1.99999ap-1, 0x1.000002p-1, inf, 0x1.fffff8p-1] o0.w=[0x1.1eb852p-4, 0x0p0, nan:0xffc00000, -0x1.800004p2] o1.x=[0x1.1eb852p-4, 0x1p-131, 0x0p0, -0x1.800004p2] o1.y=[0x1.5c28f6p-3, 0x1.8p-130, nan:0xffc00000, -0x1.800008p1] o1.z=[0x1.99999ap-1, 0x1p-1, 0x1p0, 0x1.fffff8p-1] o1.w=[0x1.1eb852p-2, 0x1p-129, nan:0xffc00000, -0x1.800004p4] o2.x=[0x1.1eb852p-7, 0x1p-134, 0x0p0, -0x1.800004p-1]
; run maxwell: in0.x=[0.1, 0x1p-130, inf, 3] in0.y=[0.7, 0.5, 0, -0x1.000002p1] == o0.x=[0x1.99999ap-4, 0x1p-130, inf, 0x1.8p1] o0.y=[0x1.999998p-1, 0x1p-1, inf, 0x1.fffff8p-1] o0.z=[0x1.99999ap-1, 0x1.000002p-1, inf, 0x1.fffff8p-1] o0.w=[0x1.1eb852p-4, 0x0p0, nan:0x7fffffff, -0x1.800004p2] o1.x=[0x1.1eb852p-4, 0x1p-131, 0x0p0, -0x1.800004p2] o1.y=[0x1.5c28f6p-3, 0x1.8p-130, nan:0x7fffffff, -0x1.800008p1] o1.z=[0x1.99999ap-1, 0x1p-1, 0x1p0, 0x1.fffff8p-1] o1.w=[0x1.1eb852p-2, 0x1p-129, nan:0x7fffffff, -0x1.800004p4] o2.x=[0x1.1eb852p-7, 0x1p-134, 0x0p0, -0x1.800004p-1]
; run nv40: in0.x=[0.1, 0x1p-130, inf, 3] in0.y=[0.7, 0.5, 0, -0x1.000002p1] == o0.x=[0x1.99999ap-4, 0x1p-130, inf, 0x1.8p1] o0.y=[0x1.999998p-1, 0x1p-1, inf, 0x1.fffff8p-1] o0.z=[0x1.99999ap-1, 0x1p-1, inf, 0x1.fffff8p-1] o0.w=[0x1.1eb852p-4, 0x0p0, nan:0xffc00000, -0x1.800004p2] o1.x=[0x1.1eb852p-4, 0x0p0, 0x0p0, -0x1.800004p2] o1.y=[0x1.5c28f6p-3, 0x0p0, nan:0xffc00000, -0x1.800008p1] o1.z=[0x1.99999ap-1, 0x1p-1, 0x1p0, 0x1.fffff8p-1] o1.w=[0x1.1eb852p-2, 0x0p0, nan:0xffc00000, -0x1.800004p4] o2.x=[0x1.1eb852p-7, 0x0p0, 0x0p0, -0x1.800004p-1]
