; test run ieee
; Float to integer: directions, range, NaN.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  output 1 "OUT[1]" generic(1) i32 i32 i32 i32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0 = attr in1.x
  %5: p0 = attr in1.y
  %6: p0 = attr in1.z
  %7: p0 = attr in1.w
  %8: i32 = f2i.trunc %0 under p0
  %9: i32 = f2u.trunc %0 under p0
  %10: i32 = f2i.floor %0 under p0
  %11: i32 = f2u.floor %0 under p0
  %12: i32 = f2i.ceil %0 under p0
  %13: i32 = f2u.ceil %0 under p0
  %14: i32 = f2i.rint %0 under p0
  %15: i32 = f2u.rint %0 under p0
  out o0.x, %8
  out o0.y, %9
  out o0.z, %10
  out o0.w, %11
  out o1.x, %12
  out o1.y, %13
  out o1.z, %14
  out o1.w, %15
  yield
}
; run: in0.x=[2.5, -2.5, -0.3, 3.5] == o0.x=[2, 0xfffffffe, 0, 3] o0.y=[2, 0, 0, 3] o0.z=[2, 0xfffffffd, 0xffffffff, 3] o0.w=[2, 0, 0, 3] o1.x=[3, 0xfffffffe, 0, 4] o1.y=[3, 0, 0, 4] o1.z=[2, 0xfffffffe, 0, 4] o1.w=[2, 0, 0, 4]
; run: in0.x=[0x1p31, -0x1.8p31, 0x1p40, nan:0x7fc00000] == o0.x=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o0.y=[0x80000000, 0, 0xffffffff, 0] o0.z=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o0.w=[0x80000000, 0, 0xffffffff, 0] o1.x=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o1.y=[0x80000000, 0, 0xffffffff, 0] o1.z=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o1.w=[0x80000000, 0, 0xffffffff, 0]
; run tgsi: in0.x=[2.5, -2.5, -0.3, 3.5] == o0.x=[2, 0xfffffffe, 0, 3] o0.y=[2, 0xfffffffe, 0, 3] o0.z=[2, 0xfffffffd, 0xffffffff, 3] o0.w=[2, 0xfffffffd, 0xffffffff, 3] o1.x=[3, 0xfffffffe, 0, 4] o1.y=[3, 0xfffffffe, 0, 4] o1.z=[2, 0xfffffffe, 0, 4] o1.w=[2, 0xfffffffe, 0, 4]
; run tgsi: in0.x=[0x1p31, -0x1.8p31, 0x1p40, nan:0x7fc00000] == o0.x=0x80000000 o0.y=[0x80000000, 0x40000000, 0, 0] o0.z=0x80000000 o0.w=[0x80000000, 0x40000000, 0, 0] o1.x=0x80000000 o1.y=[0x80000000, 0x40000000, 0, 0] o1.z=0x80000000 o1.w=[0x80000000, 0x40000000, 0, 0]
; run maxwell: in0.x=[2.5, -2.5, -0.3, 3.5] == o0.x=[2, 0xfffffffe, 0, 3] o0.y=[2, 0, 0, 3] o0.z=[2, 0xfffffffd, 0xffffffff, 3] o0.w=[2, 0, 0, 3] o1.x=[3, 0xfffffffe, 0, 4] o1.y=[3, 0, 0, 4] o1.z=[2, 0xfffffffe, 0, 4] o1.w=[2, 0, 0, 4]
; run maxwell: in0.x=[0x1p31, -0x1.8p31, 0x1p40, nan:0x7fc00000] == o0.x=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o0.y=[0x80000000, 0, 0xffffffff, 0] o0.z=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o0.w=[0x80000000, 0, 0xffffffff, 0] o1.x=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o1.y=[0x80000000, 0, 0xffffffff, 0] o1.z=[0x7fffffff, 0x80000000, 0x7fffffff, 0] o1.w=[0x80000000, 0, 0xffffffff, 0]
