; test run ieee
; Patterns of the declared format, out and in again; a wide container converts first.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) i32 i32 i32 -
  output 1 "OUT[1]" generic(1) fp32 half fx12 -
  slot p0 = fp32
  slot p1 = half
  slot p2 = fx12
  %0: p0 = attr in0.x
  %1: p1 = cvt %0
  %2: p2 = cvt %0
  %3: i32 = bits.of %0 under p0
  %4: i32 = bits.of %1 under p1
  %5: i32 = bits.of %2 under p2
  %6: p0 = bits.to %3
  %7: p1 = bits.to %4
  %8: p2 = bits.to %5
  out o0.x, %3
  out o0.y, %4
  out o0.z, %5
  out o1.x, %6
  out o1.y, %7
  out o1.z, %8
  yield
}
; run: in0.x=[0.1, -1.5, inf, nan:0x7fc12345] == o0.x=[0x3dcccccd, 0xbfc00000, 0x7f800000, 0x7fc12345] o0.y=[11878, 48640, 31744, 32265] o0.z=[102, 0xfffffa00, 2047, 0] o1.x=[0x1.99999ap-4, -0x1.8p0, inf, nan:0x7fc12345] o1.y=[0x1.998p-4, -0x1.8p0, inf, nan:0x7e09] o1.z=[0x1.98p-4, -0x1.8p0, 0x1.ffcp0, 0x0p0]
; run binary64: in0.x=[0.1, -1.5, inf, nan:0x7fc12345] == o0.x=[0x3dcccccd, 0xbfc00000, 0x7f800000, 0x7fc12345] o0.y=[11878, 48640, 31744, 32265] o0.z=[102, 0xfffffa00, 2047, 0] o1.x=[0x1.99999ap-4, -0x1.8p0, inf, nan:0x7ff82468a0000000] o1.y=[0x1.998p-4, -0x1.8p0, inf, nan:0x7ff8240000000000] o1.z=[0x1.98p-4, -0x1.8p0, 0x1.ffcp0, 0x0p0]
; run nv-patent: in0.x=[0.1, -1.5, inf, nan:0x7fc12345] == o0.x=[0x3dcccccd, 0xbfc00000, 0x7f800000, 0x7fc12345] o0.y=[11878, 48640, 31744, 32265] o0.z=[102, 0xfffffa00, 2047, 2047] o1.x=[0x1.99999ap-4, -0x1.8p0, inf, nan:0x7fc12345] o1.y=[0x1.998p-4, -0x1.8p0, inf, nan:0x7e09] o1.z=[0x1.98p-4, -0x1.8p0, 0x1.ffcp0, 0x1.ffcp0]
