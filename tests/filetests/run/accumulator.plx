; test run ieee
; Sign-magnitude fixed point on binary32 patterns.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) i64 i32 i64 i32
  output 1 "OUT[1]" generic(1) i64 i32 i32 i64
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = lit 16
  %3: i64 = fx.mul %0, %1, %2
  %4: i32 = fx.sign %0
  %5: i32 = fx.sign %1
  %6: i32 = imul %4, %5
  %7: i64 = fx.plus %3, %6, %1, %2
  %8: i32 = fx.plus.sign %3, %6, %1, %2
  %9: i64 = fx.sum %3, %6, %7, %8
  %10: i32 = fx.sum.sign %3, %6, %7, %8
  %11: i32 = fx.float %9, %10
  %12: i64 = join %0, %1
  out o0.x, %3
  out o0.y, %6
  out o0.z, %7
  out o0.w, %8
  out o1.x, %9
  out o1.y, %10
  out o1.z, %11
  out o1.w, %12
  yield
}
; run: in0.x=[1.5, -2, 0.1, nan:0x7fc00000] in0.y=[2.25, 0.5, -3, 1] == o0.x=[0x360000000, 0x100000000, 0x4ccb0000, 0] o0.y=[1, 0xffffffff, 0xffffffff, 0] o0.z=[0x5a0000000, 0x80000000, 0x34ccb0000, 0x100000000] o0.w=[1, 0xffffffff, 0xffffffff, 1] o1.x=[0x900000000, 0x180000000, 0x399960000, 0x100000000] o1.y=[1, 0xffffffff, 0xffffffff, 1] o1.z=[0x41100000, 0xbfc00000, 0xc0666580, 0x3f800000] o1.w=[0x401000003fc00000, 0x3f000000c0000000, 0xc04000003dcccccd, 0x3f8000007fc00000]
