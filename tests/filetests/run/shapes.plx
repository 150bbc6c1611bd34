; test run ieee
; Operations exact up to range, signs, conversion to the own format.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(1) fp32 fp32 fp32 fp32
  output 2 "OUT[2]" generic(2) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0 = attr in1.x
  %5: p0 = attr in1.y
  %6: p0 = attr in1.z
  %7: p0 = attr in1.w
  %8: p0 = exp2.floor %0
  %9: p0 = log.exp %0
  %10: p0 = log.mant %0
  %11: p0 = floor %0
  %12: p0 = ceil %0
  %13: p0 = trunc %0
  %14: p0 = rint %0
  %15: p0 = frac %0
  %16: p0 = sign %0
  %17: p0 = neg %0
  %18: p0 = abs %0
  %19: p0 = cvt %0
  out o0.x, %8
  out o0.y, %9
  out o0.z, %10
  out o0.w, %11
  out o1.x, %12
  out o1.y, %13
  out o1.z, %14
  out o1.w, %15
  out o2.x, %16
  out o2.y, %17
  out o2.z, %18
  out o2.w, %19
  yield
}
; run: in0.x=[2.5, -0x1.8p-3, -inf, nan:0xff800001] == o0.x=[0x1p2, 0x1p-1, 0x0p0, nan:0xffc00001] o0.y=[0x1p0, -0x1.8p1, inf, nan:0xffc00001] o0.z=[0x1.4p0, 0x1.8p0, 0x1p0, nan:0xffc00001] o0.w=[0x1p1, -0x1p0, -inf, nan:0xffc00001] o1.x=[0x1.8p1, -0x0p0, -inf, nan:0xffc00001] o1.y=[0x1p1, -0x0p0, -inf, nan:0xffc00001] o1.z=[0x1p1, -0x0p0, -inf, nan:0xffc00001] o1.w=[0x1p-1, 0x1.ap-1, nan:0xffc00000, nan:0xffc00001] o2.x=[0x1p0, -0x1p0, -0x1p0, 0x0p0] o2.y=[-0x1.4p1, 0x1.8p-3, inf, nan:0x7f800001] o2.z=[0x1.4p1, 0x1.8p-3, inf, nan:0x7f800001] o2.w=[0x1.4p1, -0x1.8p-3, -inf, nan:0xffc00001]
; run nv-patent: in0.x=[2.5, -0x1.8p-3, -inf, nan:0xff800001] == o0.x=[0x1p2, 0x1p-1, 0x0p0, nan:0xffc00001] o0.y=[0x1p0, -0x1.8p1, inf, nan:0xffc00001] o0.z=[0x1.4p0, 0x1.8p0, 0x1p0, nan:0xffc00001] o0.w=[0x1p1, -0x1p0, -inf, nan:0xffc00001] o1.x=[0x1.8p1, -0x0p0, -inf, nan:0xffc00001] o1.y=[0x1p1, -0x0p0, -inf, nan:0xffc00001] o1.z=[0x1p1, -0x0p0, -inf, nan:0xffc00001] o1.w=[0x1p-1, 0x1.ap-1, nan:0xffc00000, nan:0xffc00001] o2.x=[0x1p0, -0x1p0, -0x1p0, 0x0p0] o2.y=[-0x1.4p1, 0x1.8p-3, inf, nan:0x7f800001] o2.z=[0x1.4p1, 0x1.8p-3, inf, nan:0x7f800001] o2.w=[0x1.4p1, -0x1.8p-3, -inf, nan:0xffc00001]
; run attila: in0.x=[2.5, -0x1.8p-3, -inf, nan:0xff800001] == o0.x=[0x1p2, 0x1p-1, 0x0p0, nan:0xffc00001] o0.y=[0x1p0, -0x1.8p1, inf, nan:0xffc00001] o0.z=[0x1.4p0, 0x1.8p0, 0x1p0, nan:0xffc00001] o0.w=[0x1p1, -0x1p0, -inf, nan:0xffc00001] o1.x=[0x1.8p1, -0x0p0, -inf, nan:0xffc00001] o1.y=[0x1p1, -0x0p0, -inf, nan:0xffc00001] o1.z=[0x1p1, -0x0p0, -inf, nan:0xffc00001] o1.w=[0x1p-1, 0x1.ap-1, nan:0xffc00000, nan:0xffc00001] o2.x=[0x1p0, -0x1p0, -0x1p0, 0x0p0] o2.y=[-0x1.4p1, 0x1.8p-3, inf, nan:0x7f800001] o2.z=[0x1.4p1, 0x1.8p-3, inf, nan:0x7f800001] o2.w=[0x1.4p1, -0x1.8p-3, -inf, nan:0xffc00001]
