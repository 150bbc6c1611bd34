; test run ieee
; Sums and products, one per output component, under several models.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(1) fp32 fp32 fp32 fp32
  output 2 "OUT[2]" generic(2) fp32 fp32 fp32 fp32
  output 3 "OUT[3]" generic(3) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0 = attr in1.x
  %5: p0 = attr in1.y
  %6: p0 = attr in1.z
  %7: p0 = attr in1.w
  %8: p0 = add %0, %1
  %9: p0 = sub %0, %1
  %10: p0 = mul %0, %1
  %11: p0 = fma %0, %1, %2
  %12: p0 = mad %0, %1, %2
  %13: p0 = dot2 %0, %1, %2, %3
  %14: p0 = dot3 %0, %1, %2, %3, %4, %5
  %15: p0 = dot4 %0, %1, %2, %3, %4, %5, %6, %7
  %16: p0 = dph %0, %1, %2, %3, %4, %5, %6
  %17: p0 = dp2a %0, %1, %2, %3, %4
  %18: p0 = lrp %0, %1, %2
  %19: p0 = dst %0, %1
  %20: p0 = lit.y %0
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
  out o3.x, %20
  yield
}
; run: in0.x=[0.1, -0x1p-130, inf, nan:0x7f800001] in0.y=[0.7, 0x1p-20, 0, 1] in0.z=[-0.07, 0.5, -2, 0x1p127] in0.w=[1000, -0, 1, 0x1p127] in1.x=[3, 3, 3, 3] in1.y=[0.3, 0x1p-126, 5, -1] in1.z=-1.25 in1.w=[0.001, 7, inf, 2] == o0.x=[0x1.99999ap-1, 0x1p-20, inf, nan:0x7fc00001] o0.y=[-0x1.333332p-1, -0x1p-20, inf, nan:0x7fc00001] o0.z=[0x1.1eb852p-4, -0x0p0, nan:0xffc00000, nan:0x7fc00001] o0.w=[-0x1.eb852p-32, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o1.x=[-0x1.eb852p-32, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o1.y=[0x1.5dff1ap9, -0x1p-131, -inf, nan:0x7fc00001] o1.z=[0x1.9850e4p6, 0x1.8p-19, inf, nan:0x7fc00001] o1.w=[0x1.98f5c2p0, -0x1.4p-1, inf, nan:0x7fc00001] o2.x=[0x1.9350e4p6, -0x1.3fffdp0, inf, nan:0x7fc00001] o2.y=[0x1.5f7f1ap9, 0x1.8p1, -inf, nan:0x7fc00001] o2.z=[0x1.cac07ep-8, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o2.w=[0x1.1eb852p-4, -0x0p0, nan:0xffc00000, nan:0x7fc00001] o3.x=[0x1.99999ap-4, 0x0p0, inf, 0x0p0]
; run tgsi: in0.x=[0.1, -0x1p-130, inf, nan:0x7f800001] in0.y=[0.7, 0x1p-20, 0, 1] in0.z=[-0.07, 0.5, -2, 0x1p127] in0.w=[1000, -0, 1, 0x1p127] in1.x=[3, 3, 3, 3] in1.y=[0.3, 0x1p-126, 5, -1] in1.z=-1.25 in1.w=[0.001, 7, inf, 2] == o0.x=[0x1.99999ap-1, 0x1p-20, inf, nan:0x7fc00001] o0.y=[-0x1.333332p-1, -0x1p-20, inf, nan:0x7fc00001] o0.z=[0x1.1eb852p-4, -0x0p0, nan:0xffc00000, nan:0x7fc00001] o0.w=[-0x1.eb852p-32, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o1.x=[0x0p0, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o1.y=[0x1.5dff1ap9, -0x1p-131, -inf, nan:0x7fc00001] o1.z=[0x1.9850e4p6, 0x1.8p-19, inf, nan:0x7fc00001] o1.w=[0x1.98f5c2p0, -0x1.4p-1, inf, nan:0x7fc00001] o2.x=[0x1.9350e4p6, -0x1.3fffdp0, inf, nan:0x7fc00001] o2.y=[0x1.5f7f1ap9, 0x1.8p1, -inf, nan:0x7fc00001] o2.z=[0x1.cac08p-8, 0x1p-1, inf, nan:0x7fc00001] o2.w=[0x1.1eb852p-4, -0x0p0, nan:0xffc00000, nan:0x7fc00001] o3.x=[0x1.99999ap-4, 0x0p0, inf, 0x0p0]
; run nv-patent: in0.x=[0.1, -0x1p-130, inf, nan:0x7f800001] in0.y=[0.7, 0x1p-20, 0, 1] in0.z=[-0.07, 0.5, -2, 0x1p127] in0.w=[1000, -0, 1, 0x1p127] in1.x=[3, 3, 3, 3] in1.y=[0.3, 0x1p-126, 5, -1] in1.z=-1.25 in1.w=[0.001, 7, inf, 2] == o0.x=[0x1.99999ap-1, 0x1p-20, inf, nan:0x7fc00001] o0.y=[-0x1.333332p-1, -0x1p-20, inf, nan:0x7fc00001] o0.z=[0x1.1eb852p-4, 0x0p0, 0x0p0, nan:0x7fc00001] o0.w=[-0x1.eb852p-32, 0x1p-1, -0x1p1, nan:0x7fc00001] o1.x=[0x0p0, 0x1p-1, -0x1p1, nan:0x7fc00001] o1.y=[0x1.5dff1ap9, 0x0p0, -inf, nan:0x7fc00001] o1.z=[0x1.9850e4p6, 0x1.8p-19, inf, nan:0x7fc00001] o1.w=[0x1.98f5c2p0, -0x1.4p-1, inf, nan:0x7fc00001] o2.x=[0x1.9350e4p6, -0x1.3fffdp0, inf, nan:0x7fc00001] o2.y=[0x1.5f7f1ap9, 0x1.8p1, -inf, nan:0x7fc00001] o2.z=[0x1.cac08p-8, 0x1p-1, inf, nan:0x7fc00001] o2.w=[0x1.1eb852p-4, 0x0p0, 0x0p0, nan:0x7fc00001] o3.x=[0x1.99999ap-4, -0x0p0, inf, nan:0x7fc00001]
; run tgsi-mul-zero-wins: in0.x=[0.1, -0x1p-130, inf, nan:0x7f800001] in0.y=[0.7, 0x1p-20, 0, 1] in0.z=[-0.07, 0.5, -2, 0x1p127] in0.w=[1000, -0, 1, 0x1p127] in1.x=[3, 3, 3, 3] in1.y=[0.3, 0x1p-126, 5, -1] in1.z=-1.25 in1.w=[0.001, 7, inf, 2] == o0.x=[0x1.99999ap-1, 0x1p-20, inf, nan:0x7fc00001] o0.y=[-0x1.333332p-1, -0x1p-20, inf, nan:0x7fc00001] o0.z=[0x1.1eb852p-4, -0x0p0, 0x0p0, nan:0x7fc00001] o0.w=[-0x1.eb852p-32, 0x1p-1, -0x1p1, nan:0x7fc00001] o1.x=[0x0p0, 0x1p-1, -0x1p1, nan:0x7fc00001] o1.y=[0x1.5dff1ap9, -0x1p-131, -inf, nan:0x7fc00001] o1.z=[0x1.9850e4p6, 0x1.8p-19, inf, nan:0x7fc00001] o1.w=[0x1.98f5c2p0, -0x1.4p-1, inf, nan:0x7fc00001] o2.x=[0x1.9350e4p6, -0x1.3fffdp0, inf, nan:0x7fc00001] o2.y=[0x1.5f7f1ap9, 0x1.8p1, -inf, nan:0x7fc00001] o2.z=[0x1.cac08p-8, 0x1p-1, inf, nan:0x7fc00001] o2.w=[0x1.1eb852p-4, -0x0p0, 0x0p0, nan:0x7fc00001] o3.x=[0x1.99999ap-4, 0x0p0, inf, 0x0p0]
; run maxwell: in0.x=[0.1, -0x1p-130, inf, nan:0x7f800001] in0.y=[0.7, 0x1p-20, 0, 1] in0.z=[-0.07, 0.5, -2, 0x1p127] in0.w=[1000, -0, 1, 0x1p127] in1.x=[3, 3, 3, 3] in1.y=[0.3, 0x1p-126, 5, -1] in1.z=-1.25 in1.w=[0.001, 7, inf, 2] == o0.x=[0x1.99999ap-1, 0x1p-20, inf, nan:0x7fffffff] o0.y=[-0x1.333332p-1, -0x1p-20, inf, nan:0x7fffffff] o0.z=[0x1.1eb852p-4, -0x0p0, nan:0x7fffffff, nan:0x7fffffff] o0.w=[-0x1.eb852p-32, 0x1p-1, nan:0x7fffffff, nan:0x7fffffff] o1.x=[-0x1.eb852p-32, 0x1p-1, nan:0x7fffffff, nan:0x7fffffff] o1.y=[0x1.5dff1ap9, -0x1p-131, -inf, nan:0x7fffffff] o1.z=[0x1.9850e4p6, 0x1.8p-19, inf, nan:0x7fffffff] o1.w=[0x1.98f5c2p0, -0x1.4p-1, inf, nan:0x7fffffff] o2.x=[0x1.9350e4p6, -0x1.3fffdp0, inf, nan:0x7fffffff] o2.y=[0x1.5f7f1ap9, 0x1.8p1, -inf, nan:0x7fffffff] o2.z=[0x1.cac07ep-8, 0x1p-1, inf, nan:0x7fffffff] o2.w=[0x1.1eb852p-4, -0x0p0, nan:0x7fffffff, nan:0x7fffffff] o3.x=[0x1.99999ap-4, 0x0p0, inf, 0x0p0]
; run attila: in0.x=[0.1, -0x1p-130, inf, nan:0x7f800001] in0.y=[0.7, 0x1p-20, 0, 1] in0.z=[-0.07, 0.5, -2, 0x1p127] in0.w=[1000, -0, 1, 0x1p127] in1.x=[3, 3, 3, 3] in1.y=[0.3, 0x1p-126, 5, -1] in1.z=-1.25 in1.w=[0.001, 7, inf, 2] == o0.x=[0x1.99999ap-1, 0x1p-20, inf, nan:0x7fc00001] o0.y=[-0x1.333332p-1, -0x1p-20, inf, nan:0x7fc00001] o0.z=[0x1.1eb852p-4, -0x0p0, nan:0xffc00000, nan:0x7fc00001] o0.w=[-0x1.eb852p-32, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o1.x=[0x0p0, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o1.y=[0x1.5dff1ap9, -0x1p-131, -inf, nan:0x7fc00001] o1.z=[0x1.9850e4p6, 0x1.8p-19, inf, nan:0x7fc00001] o1.w=[0x1.98f5c2p0, -0x1.4p-1, inf, nan:0x7fc00001] o2.x=[0x1.9350e4p6, -0x1.3fffdp0, inf, nan:0x7fc00001] o2.y=[0x1.5f7f1ap9, 0x1.8p1, -inf, nan:0x7fc00001] o2.z=[0x1.cac08p-8, 0x1p-1, nan:0xffc00000, nan:0x7fc00001] o2.w=[0x1.1eb852p-4, -0x0p0, nan:0xffc00000, nan:0x7fc00001] o3.x=[0x1.99999ap-4, 0x0p0, inf, nan:0x7fc00001]
; run binary64: in0.x=[0.1, -0x1p-130, inf, nan:0x7f800001] in0.y=[0.7, 0x1p-20, 0, 1] in0.z=[-0.07, 0.5, -2, 0x1p127] in0.w=[1000, -0, 1, 0x1p127] in1.x=[3, 3, 3, 3] in1.y=[0.3, 0x1p-126, 5, -1] in1.z=-1.25 in1.w=[0.001, 7, inf, 2] == o0.x=[0x1.9999994p-1, 0x1p-20, inf, nan:0x7ff8000020000000] o0.y=[-0x1.333332cp-1, -0x1p-20, inf, nan:0x7ff8000020000000] o0.z=[0x1.1eb851e147aep-4, -0x1p-150, nan:0xfff8000000000000, nan:0x7ff8000020000000] o0.w=[-0x1.eb852p-32, 0x1p-1, nan:0xfff8000000000000, nan:0x7ff8000020000000] o1.x=[-0x1.eb852p-32, 0x1p-1, nan:0xfff8000000000000, nan:0x7ff8000020000000] o1.y=[0x1.5dff1a3bbe2d1p9, -0x1p-131, -inf, nan:0x7ff8000020000000] o1.z=[0x1.9850e5c1cb439p6, 0x1.8p-19, inf, nan:0x7ff8000020000000] o1.w=[0x1.98f5c384a3d7p0, -0x1.4p-1, inf, nan:0x7ff8000020000000] o2.x=[0x1.9350e5c1cb439p6, -0x1.3fffdp0, inf, nan:0x7ff8000020000000] o2.y=[0x1.5f7f1a3bbe2d1p9, 0x1.8p1, -inf, nan:0x7ff8000020000000] o2.z=[0x1.cac081ba5e34p-8, 0x1p-1, nan:0xfff8000000000000, nan:0x7ff8000020000000] o2.w=[0x1.1eb851e147aep-4, -0x1p-150, nan:0xfff8000000000000, nan:0x7ff8000020000000] o3.x=[0x1.99999ap-4, 0x0p0, inf, 0x0p0]
