; test run ieee
; Between floats and 64-bit integers, and patterns of binary64.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  output 0 "OUT[0]" generic(0) i64 i64 i64 i64
  output 1 "OUT[1]" generic(1) i64 i64 i64 i64
  output 2 "OUT[2]" generic(2) fp32 fp32 fp64 fp64
  output 3 "OUT[3]" generic(3) i64 fp64 i64 i64
  slot p0 = fp32
  slot p1 = fp64
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i64 = join %0, %1
  %3: p0 = attr in0.z
  %4: p1 = cvt %3
  %5: i64 = f2i64.trunc %3 under p0
  %6: i64 = f2u64.trunc %3 under p0
  %7: i64 = f2i64.floor %3 under p0
  %8: i64 = f2u64.floor %3 under p0
  %9: i64 = f2i64.ceil %3 under p0
  %10: i64 = f2u64.ceil %3 under p0
  %11: i64 = f2i64.rint %3 under p0
  %12: i64 = f2u64.rint %3 under p0
  %13: p0 = i64.to.f %2
  %14: p0 = u64.to.f %2
  %15: p1 = i64.to.f %2
  %16: p1 = u64.to.f %2
  %17: i64 = bits.of64 %4 under p1
  %18: p1 = bits.to64 %2
  %19: i64 = bits.of64 %3 under p0
  %20: i64 = f2i64.trunc %4 under p1
  out o0.x, %5
  out o0.y, %6
  out o0.z, %7
  out o0.w, %8
  out o1.x, %9
  out o1.y, %10
  out o1.z, %11
  out o1.w, %12
  out o2.x, %13
  out o2.y, %14
  out o2.z, %15
  out o2.w, %16
  out o3.x, %17
  out o3.y, %18
  out o3.z, %19
  out o3.w, %20
  yield
}
; run: in0.x=[1, 0xffffffff, 0, 0x01000001] in0.y=[0, 0xffffffff, 0x80000000, 0x01000000] in0.z=[1.5, -2.5, 0x1p63, nan:0x7fc00001] == o0.x=[1, 0xfffffffffffffffe, 0x7fffffffffffffff, 0] o0.y=[1, 0, 0x8000000000000000, 0] o0.z=[1, 0xfffffffffffffffd, 0x7fffffffffffffff, 0] o0.w=[1, 0, 0x8000000000000000, 0] o1.x=[2, 0xfffffffffffffffe, 0x7fffffffffffffff, 0] o1.y=[2, 0, 0x8000000000000000, 0] o1.z=[2, 0xfffffffffffffffe, 0x7fffffffffffffff, 0] o1.w=[2, 0, 0x8000000000000000, 0] o2.x=[0x1.fcp29, -0x1p0, -0x1p63, 0x1p56] o2.y=[0x1.fcp29, 0x1p64, 0x1p63, 0x1p56] o2.z=[0x1.fcp29, -0x1p0, -0x1p63, 0x1.00000001p56] o2.w=[0x1.fcp29, 0x1p64, 0x1p63, 0x1.00000001p56] o3.x=[0x3ff8000000000000, 0xc004000000000000, 0x43e0000000000000, 0x7ff8000020000000] o3.y=[0x1.fcp-1045, nan:0xffffffffffffffff, -0x0p0, 0x1.0000001000001p-1007] o3.z=[0x3fc00000, 0xc0200000, 0x5f000000, 0x7fc00001] o3.w=[1, 0xfffffffffffffffe, 0x7fffffffffffffff, 0]
; run: in0.x=[0, 0, 0x54442d18, 0] in0.y=[0x3ff00000, 0x7ff00000, 0x400921fb, 0x43f00000] in0.z=[-0.25, 0x1p64, -inf, 0x1.fffffep62] == o0.x=[0, 0x7fffffffffffffff, 0x8000000000000000, 0x7fffff8000000000] o0.y=[0, 0xffffffffffffffff, 0, 0x7fffff8000000000] o0.z=[0xffffffffffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0x7fffff8000000000] o0.w=[0, 0xffffffffffffffff, 0, 0x7fffff8000000000] o1.x=[0, 0x7fffffffffffffff, 0x8000000000000000, 0x7fffff8000000000] o1.y=[0, 0xffffffffffffffff, 0, 0x7fffff8000000000] o1.z=[0, 0x7fffffffffffffff, 0x8000000000000000, 0x7fffff8000000000] o1.w=[0, 0xffffffffffffffff, 0, 0x7fffff8000000000] o2.x=[0x1.ff8p61, 0x1.ffcp62, 0x1.002488p62, 0x1.0fcp62] o2.y=[0x1.ff8p61, 0x1.ffcp62, 0x1.002488p62, 0x1.0fcp62] o2.z=[0x1.ff8p61, 0x1.ffcp62, 0x1.002487ed5110bp62, 0x1.0fcp62] o2.w=[0x1.ff8p61, 0x1.ffcp62, 0x1.002487ed5110bp62, 0x1.0fcp62] o3.x=[0xbfd0000000000000, 0x43f0000000000000, 0xfff0000000000000, 0x43dfffffe0000000] o3.y=[0x1p0, inf, 0x1.921fb54442d18p1, 0x1p64] o3.z=[0xbe800000, 0x5f800000, 0xff800000, 0x5effffff] o3.w=[0, 0x7fffffffffffffff, 0x8000000000000000, 0x7fffff8000000000]
; run tgsi: in0.x=[1, 0xffffffff, 0, 0x01000001] in0.y=[0, 0xffffffff, 0x80000000, 0x01000000] in0.z=[1.5, -2.5, 0x1p63, nan:0x7fc00001] == o0.x=[1, 0xfffffffffffffffe, 0x8000000000000000, 0x8000000000000000] o0.y=[1, 0, 0x8000000000000000, 0] o0.z=[1, 0xfffffffffffffffd, 0x8000000000000000, 0x8000000000000000] o0.w=[1, 0, 0x8000000000000000, 0] o1.x=[2, 0xfffffffffffffffe, 0x8000000000000000, 0x8000000000000000] o1.y=[2, 0, 0x8000000000000000, 0] o1.z=[2, 0xfffffffffffffffe, 0x8000000000000000, 0x8000000000000000] o1.w=[2, 0, 0x8000000000000000, 0] o2.x=[0x1.fcp29, -0x1p0, -0x1p63, 0x1p56] o2.y=[0x1.fcp29, 0x1p64, 0x1p63, 0x1p56] o2.z=[0x1.fcp29, -0x1p0, -0x1p63, 0x1.00000001p56] o2.w=[0x1.fcp29, 0x1p64, 0x1p63, 0x1.00000001p56] o3.x=[0x3ff8000000000000, 0xc004000000000000, 0x43e0000000000000, 0x7ff8000020000000] o3.y=[0x1.fcp-1045, nan:0xffffffffffffffff, -0x0p0, 0x1.0000001000001p-1007] o3.z=[0x3fc00000, 0xc0200000, 0x5f000000, 0x7fc00001] o3.w=[1, 0xfffffffffffffffe, 0x8000000000000000, 0x8000000000000000]
; run tgsi: in0.x=[0, 0, 0x54442d18, 0] in0.y=[0x3ff00000, 0x7ff00000, 0x400921fb, 0x43f00000] in0.z=[-0.25, 0x1p64, -inf, 0x1.fffffep62] == o0.x=[0, 0x8000000000000000, 0x8000000000000000, 0x7fffff8000000000] o0.y=[0, 0, 0, 0x7fffff8000000000] o0.z=[0xffffffffffffffff, 0x8000000000000000, 0x8000000000000000, 0x7fffff8000000000] o0.w=[0, 0, 0, 0x7fffff8000000000] o1.x=[0, 0x8000000000000000, 0x8000000000000000, 0x7fffff8000000000] o1.y=[0, 0, 0, 0x7fffff8000000000] o1.z=[0, 0x8000000000000000, 0x8000000000000000, 0x7fffff8000000000] o1.w=[0, 0, 0, 0x7fffff8000000000] o2.x=[0x1.ff8p61, 0x1.ffcp62, 0x1.002488p62, 0x1.0fcp62] o2.y=[0x1.ff8p61, 0x1.ffcp62, 0x1.002488p62, 0x1.0fcp62] o2.z=[0x1.ff8p61, 0x1.ffcp62, 0x1.002487ed5110bp62, 0x1.0fcp62] o2.w=[0x1.ff8p61, 0x1.ffcp62, 0x1.002487ed5110bp62, 0x1.0fcp62] o3.x=[0xbfd0000000000000, 0x43f0000000000000, 0xfff0000000000000, 0x43dfffffe0000000] o3.y=[0x1p0, inf, 0x1.921fb54442d18p1, 0x1p64] o3.z=[0xbe800000, 0x5f800000, 0xff800000, 0x5effffff] o3.w=[0, 0x8000000000000000, 0x8000000000000000, 0x7fffff8000000000]
