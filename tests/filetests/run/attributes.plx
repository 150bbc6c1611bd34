; test run ieee
; Attributes as floats, as bits, by a lane's index.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 i32 fp32 half
  slot p0 = fp32
  slot p1 = half
  %0: p0 = attr in0.x
  %1: i32 = attr in0.x
  %2: i32 = attr in1.y
  %3: p0 = attr.at in[%2].z
  %4: p1 = attr in0.x
  out o0.x, %0
  out o0.y, %1
  out o0.z, %3
  out o0.w, %4
  yield
}
; run: in0.x=[0.1, 0x1p-140, nan:0x7f800001, 70000] in0.z=5 in1.z=6 in1.y=[0x0, 0x1, 0x2, 0xffffffff] == o0.x=[0x1.99999ap-4, 0x1p-140, nan:0x7f800001, 0x1.117p16] o0.y=[0x3dcccccd, 512, 0x7f800001, 0x4788b800] o0.z=[0x1.4p2, 0x1.8p2, 0x0p0, 0x0p0] o0.w=[0x1.998p-4, 0x0p0, nan:0x7e00, inf]
; run nv-patent: in0.x=[0.1, 0x1p-140, nan:0x7f800001, 70000] in0.z=5 in1.z=6 in1.y=[0x0, 0x1, 0x2, 0xffffffff] == o0.x=[0x1.99999ap-4, 0x1p-140, nan:0x7f800001, 0x1.117p16] o0.y=[0x3dcccccd, 512, 0x7f800001, 0x4788b800] o0.z=[0x1.4p2, 0x1.8p2, 0x0p0, 0x0p0] o0.w=[0x1.998p-4, 0x0p0, nan:0x7e00, inf]
