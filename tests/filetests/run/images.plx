; test run ieee
; Images in buffers: places, decoding and encoding, sizes; sizes of textures; words of texels.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  texture 0 d2
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  output 1 "OUT[1]" generic(1) i32 i32 i32 i32
  buffer 0 "B0" image d2_array rgba8_snorm
  buffer 1 "B1" image d2_array r16ui any
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = lit 0
  %3: i32 = image.address b1 %0, %2, %1, %2
  %4: i32 = image.load b1[%3].x
  %5: i32 = image.load b1[%3].w
  image.store b1[%3], %0, %0, %0, %0
  %6: i32 = image.address b0 %0, %2, %1, %2
  %7: i32 = image.load b0[%6].y
  image.store b0[%6], %7, %7, %7, %7
  %8: i32 = image.size b0.z
  %9: i32 = texture.size unit(0).z %1
  %10: i32, %11: i32, %12: i32, %13: i32 = tex fetch d2 unit(0) bits %0, %1, %3, %2
  %14: i32 = image.texel_bytes b1
  %15: i32 = iadd %8, %14
  out o0.x, %3
  out o0.y, %4
  out o0.z, %5
  out o0.w, %7
  out o1.x, %15
  out o1.y, %9
  out o1.z, %10
  out o1.w, %12
  yield
}
; run: in0.x=[0, 0x1, 0, 0x2] in0.y=[0, 0x1, 0x1, 0] b0=[0x7f01, 0x0, 0x8100, 0xc000] b1=[0x20001, 0x40003] == o0.x=[0, 6, 4, 0xffffffff] o0.y=[1, 4, 3, 0] o0.z=1 o0.w=[0x3f800000, 0xbf010204, 0xbf800000, 0] o1.x=4 o1.y=[0, 1, 1, 0] o1.z=[0, 1, 0, 2] o1.w=[0, 6, 4, 0xffffffff] b0=[0x7f7f7f7f, 0x0, 0x81818181, 0xc0c0c0c0] b1=[0x20000, 0x10000]
