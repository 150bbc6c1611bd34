; test run ieee
; Packed words, and what unpacking gives.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  output 1 "OUT[1]" generic(1) i32 fp32 fp32 fp32
  output 2 "OUT[2]" generic(2) fp32 fp32 - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: i32 = pack.half2 %0, %1 under p0
  %3: i32 = pack.unorm2x16 %0, %1 under p0
  %4: i32 = pack.biased4x8 %0, %1, %0, %1 under p0
  %5: i32 = pack.unorm4x8 %0, %1, %0, %1 under p0
  %6: i32 = pack.snorm4x8 %0, %1, %0, %1 under p0
  %7: p0 = unpack.half %2
  %8: p0 = unpack.unorm16 %3
  %9: p0 = unpack.biased8 %4
  %10: p0 = unpack.unorm8 %5
  %11: p0 = unpack.snorm8 %6
  out o0.x, %2
  out o0.y, %3
  out o0.z, %4
  out o0.w, %5
  out o1.x, %6
  out o1.y, %7
  out o1.z, %8
  out o1.w, %9
  out o2.x, %10
  out o2.y, %11
  yield
}
; run: in0.x=[0.1, -1.5, inf, nan:0x7fc12345] in0.y=[0.5, 1, -0.25, 0x1p-20] == o0.x=[0x38002e66, 0x3c00be00, 0xb4007c00, 0x107e09] o0.y=[0x8000199a, 0xffff0000, 65535, 0] o0.z=[0xc08dc08d, 0xff00ff00, 0x60ff60ff, 0x80808080] o0.w=[0x801a801a, 0xff00ff00, 0xff00ff, 0] o1.x=[0x400d400d, 0x7f817f81, 0xe07fe07f, 0] o1.y=[0x1.998p-4, -0x1.8p0, inf, nan:0x7fc12000] o1.z=[0x1.99a19ap-4, 0x0p0, 0x1p0, 0x0p0] o1.w=[0x1.a3468ep-4, -0x1.020408p0, 0x1p0, 0x0p0] o2.x=[0x1.a1a1a2p-4, 0x0p0, 0x1p0, 0x0p0] o2.y=[0x1.a3468ep-4, -0x1p0, 0x1p0, 0x0p0]
; run nv-patent: in0.x=[0.1, -1.5, inf, nan:0x7fc12345] in0.y=[0.5, 1, -0.25, 0x1p-20] == o0.x=[0x38002e66, 0x3c00be00, 0xb4007c00, 32265] o0.y=[0x7fff1999, 0xffff0000, 65535, 65535] o0.z=[0xbf8cbf8c, 0xff00ff00, 0x60ff60ff, 0x80ff80ff] o0.w=[0x7f197f19, 0xff00ff00, 0xff00ff, 0xff00ff] o1.x=[0x3f0c3f0c, 0x7f817f81, 0xe17fe17f, 0x7f007f] o1.y=[0x1.998p-4, -0x1.8p0, inf, nan:0x7fc12000] o1.z=[0x1.99919ap-4, 0x0p0, 0x1p0, 0x1p0] o1.w=[0x1.83060cp-4, -0x1.020408p0, 0x1p0, 0x1p0] o2.x=[0x1.919192p-4, 0x0p0, 0x1p0, 0x1p0] o2.y=[0x1.83060cp-4, -0x1p0, 0x1p0, 0x1p0]
