; test run ieee
; MIN and MAX with zeros of both signs and NaN.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 fp32 - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0 = attr in1.x
  %5: p0 = attr in1.y
  %6: p0 = attr in1.z
  %7: p0 = attr in1.w
  %8: p0 = min %0, %1
  %9: p0 = max %0, %1
  out o0.x, %8
  out o0.y, %9
  yield
}
; run: in0.x=[-0, 0, nan:0x7fc00001, 1] in0.y=[0, -0, 1, nan:0xffc00002] == o0.x=[-0x0p0, -0x0p0, 0x1p0, 0x1p0] o0.y=[0x0p0, 0x0p0, 0x1p0, 0x1p0]
; run nv-patent: in0.x=[-0, 0, nan:0x7fc00001, 1] in0.y=[0, -0, 1, nan:0xffc00002] == o0.x=[0x0p0, -0x0p0, 0x1p0, nan:0xffc00002] o0.y=[-0x0p0, 0x0p0, nan:0x7fc00001, 0x1p0]
; run attila: in0.x=[-0, 0, nan:0x7fc00001, 1] in0.y=[0, -0, 1, nan:0xffc00002] == o0.x=[0x0p0, -0x0p0, 0x1p0, nan:0xffc00002] o0.y=[0x0p0, -0x0p0, 0x1p0, nan:0xffc00002]
; run tgsi: in0.x=[-0, 0, nan:0x7fc00001, 1] in0.y=[0, -0, 1, nan:0xffc00002] == o0.x=[-0x0p0, 0x0p0, 0x1p0, 0x1p0] o0.y=[-0x0p0, 0x0p0, 0x1p0, 0x1p0]
; run maxwell: in0.x=[-0, 0, nan:0x7fc00001, 1] in0.y=[0, -0, 1, nan:0xffc00002] == o0.x=[-0x0p0, -0x0p0, 0x1p0, 0x1p0] o0.y=[0x0p0, 0x0p0, 0x1p0, 0x1p0]
; run rogue: in0.x=[-0, 0, nan:0x7fc00001, 1] in0.y=[0, -0, 1, nan:0xffc00002] == o0.x=[0x0p0, -0x0p0, 0x1p0, nan:0xffc00002] o0.y=[-0x0p0, 0x0p0, 0x1p0, nan:0xffc00002]
