; test run ieee
; 64-bit integers: wrapping, division by zero, shifts modulo 64, signed and unsigned comparisons.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  output 0 "OUT[0]" generic(0) i64 i64 i64 i64
  output 1 "OUT[1]" generic(1) i64 i64 i64 i64
  output 2 "OUT[2]" generic(2) i64 i64 i64 i64
  output 3 "OUT[3]" generic(3) i64 i64 i64 i64
  output 4 "OUT[4]" generic(4) i64 i64 i64 i64
  output 5 "OUT[5]" generic(5) i64 i64 i64 i32
  output 6 "OUT[6]" generic(6) i32 i32 i64 i64
  output 7 "OUT[7]" generic(7) pred pred pred pred
  output 8 "OUT[8]" generic(8) pred pred - -
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = attr in0.z
  %3: i32 = attr in0.w
  %4: i64 = join %0, %1
  %5: i64 = join %2, %3
  %6: i64 = iadd64 %4, %5
  %7: i64 = isub64 %4, %5
  %8: i64 = imul64 %4, %5
  %9: i64 = imul64.hi %4, %5
  %10: i64 = umul64.hi %4, %5
  %11: i64 = idiv64 %4, %5
  %12: i64 = imod64 %4, %5
  %13: i64 = udiv64 %4, %5
  %14: i64 = umod64 %4, %5
  %15: i64 = iand64 %4, %5
  %16: i64 = ior64 %4, %5
  %17: i64 = ixor64 %4, %5
  %18: i64 = imin64 %4, %5
  %19: i64 = imax64 %4, %5
  %20: i64 = umin64 %4, %5
  %21: i64 = umax64 %4, %5
  %22: i64 = shl64 %4, %2
  %23: i64 = ishr64 %4, %2
  %24: i64 = ushr64 %4, %2
  %25: i64 = inot64 %4
  %26: i64 = ineg64 %4
  %27: i64 = iabs64 %4
  %28: i64 = isign64 %4
  %29: i32 = umsb64 %4
  %30: i32 = low %4
  %31: i32 = high %4
  %32: i64 = sext64 %0
  %33: i64 = zext64 %0
  %34: pred = ieq64 %4, %5
  %35: pred = ine64 %4, %5
  %36: pred = ilt64 %4, %5
  %37: pred = ile64 %4, %5
  %38: pred = ult64 %4, %5
  %39: pred = ule64 %4, %5
  out o0.x, %6
  out o0.y, %7
  out o0.z, %8
  out o0.w, %9
  out o1.x, %10
  out o1.y, %11
  out o1.z, %12
  out o1.w, %13
  out o2.x, %14
  out o2.y, %15
  out o2.z, %16
  out o2.w, %17
  out o3.x, %18
  out o3.y, %19
  out o3.z, %20
  out o3.w, %21
  out o4.x, %22
  out o4.y, %23
  out o4.z, %24
  out o4.w, %25
  out o5.x, %26
  out o5.y, %27
  out o5.z, %28
  out o5.w, %29
  out o6.x, %30
  out o6.y, %31
  out o6.z, %32
  out o6.w, %33
  out o7.x, %34
  out o7.y, %35
  out o7.z, %36
  out o7.w, %37
  out o8.x, %38
  out o8.y, %39
  yield
}
; run: in0.x=[7, 0xfffffff9, 0, 0xffffffff] in0.y=[0, 0xffffffff, 0x80000000, 0xffffffff] in0.z=[2, 65, 0xffffffff, 0] in0.w=[0, 0, 0xffffffff, 0] == o0.x=[0x80e00000, 0x4281fff9, 0x7fffffffffffffff, 0xffffffffffffffff] o0.y=[0xe00000, 0xffffffffbd7dfff9, 0x8000000000000001, 0xffffffffffffffff] o0.z=[0x1038000000000000, 0xfffffffe2e720000, 0x8000000000000000, 0] o0.w=[0, 0xffffffffffffffff, 0, 0] o1.x=[0, 0x4281ffff, 0x7fffffffffffffff, 0] o1.y=[1, 0, 0x8000000000000000, 0] o1.z=[0xe00000, 0xfffffffffffffff9, 0, 0xffffffffffffffff] o1.w=[1, 0x3d96353a1, 0, 0xffffffffffffffff] o2.x=[0xe00000, 0x63dfff9, 0x8000000000000000, 0xffffffffffffffff] o2.y=[0x40000000, 0x42820000, 0x8000000000000000, 0] o2.z=[0x40e00000, 0xfffffffffffffff9, 0xffffffffffffffff, 0xffffffffffffffff] o2.w=[0xe00000, 0xffffffffbd7dfff9, 0x7fffffffffffffff, 0xffffffffffffffff] o3.x=[0x40000000, 0xfffffffffffffff9, 0x8000000000000000, 0xffffffffffffffff] o3.y=[0x40e00000, 0x42820000, 0xffffffffffffffff, 0] o3.z=[0x40000000, 0x42820000, 0x8000000000000000, 0] o3.w=[0x40e00000, 0xfffffffffffffff9, 0xffffffffffffffff, 0xffffffffffffffff] o4.x=[0x40e00000, 0xfffffffffffffff9, 0, 0xffffffffffffffff] o4.y=[0x40e00000, 0xfffffffffffffff9, 0xffffffffffffffff, 0xffffffffffffffff] o4.z=[0x40e00000, 0xfffffffffffffff9, 1, 0xffffffffffffffff] o4.w=[0xffffffffbf1fffff, 6, 0x7fffffffffffffff, 0] o5.x=[0xffffffffbf200000, 7, 0x8000000000000000, 1] o5.y=[0x40e00000, 7, 0x8000000000000000, 1] o5.z=[1, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff] o5.w=[30, 63, 63, 63] o6.x=[0x40e00000, 0xfffffff9, 0, 0xffffffff] o6.y=[0, 0xffffffff, 0x80000000, 0xffffffff] o6.z=[0x40e00000, 0xfffffffffffffff9, 0, 0xffffffffffffffff] o6.w=[0x40e00000, 0xfffffff9, 0, 0xffffffff] o7.x=0 o7.y=1 o7.z=[0, 1, 1, 1] o7.w=[0, 1, 1, 1] o8.x=[0, 0, 1, 0] o8.y=[0, 0, 1, 0]
; run: in0.x=[0x1, 0x89abcdef, 0x3, 0x0] in0.y=[0x1, 0x01234567, 0x0, 0x80] in0.z=[0x1, 0x76543210, 0x3, 0x3f] in0.w=[0x1, 0xfedcba98, 0x0, 0x0] == o0.x=[0x200000002, 0xffffffffffffffff, 6, 0x800000003f] o0.y=[0, 0x2468acf13579bdf, 0, 0x7fffffffc1] o0.z=[0x200000001, 0x2236d88fe5618cf0, 9, 0x1f8000000000] o0.w=[1, 0xfffeb49923cc0953, 0, 0] o1.x=[1, 0x121fa00ad77d742, 0, 0] o1.y=[1, 0, 1, 0x208208208] o1.z=[0, 0x123456789abcdef, 0, 8] o1.w=[1, 0, 1, 0x208208208] o2.x=[0, 0x123456789abcdef, 0, 8] o2.y=[0x100000001, 0, 3, 0] o2.z=[0x100000001, 0xffffffffffffffff, 3, 0x800000003f] o2.w=[0, 0xffffffffffffffff, 0, 0x800000003f] o3.x=[0x100000001, 0xfedcba9876543210, 3, 63] o3.y=[0x100000001, 0x123456789abcdef, 3, 0x8000000000] o3.z=[0x100000001, 0x123456789abcdef, 3, 63] o3.w=[0x100000001, 0xfedcba9876543210, 3, 0x8000000000] o4.x=[0x200000002, 0x456789abcdef0000, 24, 0] o4.y=[0x80000000, 0x123456789ab, 0, 0] o4.z=[0x80000000, 0x123456789ab, 0, 0] o4.w=[0xfffffffefffffffe, 0xfedcba9876543210, 0xfffffffffffffffc, 0xffffff7fffffffff] o5.x=[0xfffffffeffffffff, 0xfedcba9876543211, 0xfffffffffffffffd, 0xffffff8000000000] o5.y=[0x100000001, 0x123456789abcdef, 3, 0x8000000000] o5.z=1 o5.w=[32, 56, 1, 39] o6.x=[1, 0x89abcdef, 3, 0] o6.y=[1, 0x1234567, 0, 128] o6.z=[1, 0xffffffff89abcdef, 3, 0] o6.w=[1, 0x89abcdef, 3, 0] o7.x=[1, 0, 1, 0] o7.y=[0, 1, 0, 1] o7.z=0 o7.w=[1, 0, 1, 0] o8.x=[0, 1, 0, 0] o8.y=[1, 1, 1, 0]
