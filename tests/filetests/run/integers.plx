; test run ieee
; Integer operations: wrapping, division by zero, shifts modulo 32, bit fields.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  output 1 "OUT[1]" generic(1) i32 i32 i32 i32
  output 2 "OUT[2]" generic(2) i32 i32 i32 i32
  output 3 "OUT[3]" generic(3) i32 i32 i32 i32
  output 4 "OUT[4]" generic(4) i32 i32 i32 i32
  output 5 "OUT[5]" generic(5) i32 i32 i32 i32
  output 6 "OUT[6]" generic(6) i32 i32 i32 i32
  output 7 "OUT[7]" generic(7) i32 i32 i32 -
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = attr in0.z
  %3: i32 = attr in0.w
  %4: i32 = iadd %0, %1
  %5: i32 = isub %0, %1
  %6: i32 = imul %0, %1
  %7: i32 = imul.hi %0, %1
  %8: i32 = umul.hi %0, %1
  %9: i32 = idiv %0, %1
  %10: i32 = imod %0, %1
  %11: i32 = udiv %0, %1
  %12: i32 = umod %0, %1
  %13: i32 = iand %0, %1
  %14: i32 = ior %0, %1
  %15: i32 = ixor %0, %1
  %16: i32 = shl %0, %1
  %17: i32 = ishr %0, %1
  %18: i32 = ushr %0, %1
  %19: i32 = imin %0, %1
  %20: i32 = imax %0, %1
  %21: i32 = umin %0, %1
  %22: i32 = umax %0, %1
  %23: i32 = inot %0
  %24: i32 = ineg %0
  %25: i32 = iabs %0
  %26: i32 = isign %0
  %27: i32 = brev %0
  %28: i32 = popc %0
  %29: i32 = lsb %0
  %30: i32 = umsb %0
  %31: i32 = imsb %0
  %32: i32 = ibfe %0, %1, %2
  %33: i32 = ubfe %0, %1, %2
  %34: i32 = bfi %0, %1, %2, %3
  out o0.x, %4
  out o0.y, %5
  out o0.z, %6
  out o0.w, %7
  out o1.x, %8
  out o1.y, %9
  out o1.z, %10
  out o1.w, %11
  out o2.x, %12
  out o2.y, %13
  out o2.z, %14
  out o2.w, %15
  out o3.x, %16
  out o3.y, %17
  out o3.z, %18
  out o3.w, %19
  out o4.x, %20
  out o4.y, %21
  out o4.z, %22
  out o4.w, %23
  out o5.x, %24
  out o5.y, %25
  out o5.z, %26
  out o5.w, %27
  out o6.x, %28
  out o6.y, %29
  out o6.z, %30
  out o6.w, %31
  out o7.x, %32
  out o7.y, %33
  out o7.z, %34
  yield
}
; run: in0.x=[0x7, 0x7, 0x7, 0x7] in0.y=[0x3, 0x0, 0xffffffff, 0x22] in0.z=0x4 in0.w=[0x8, 0x20, 0x0, 0x1f] == o0.x=[10, 7, 6, 41] o0.y=[4, 7, 8, 0xffffffe5] o0.z=[21, 0, 0xfffffff9, 238] o0.w=[0, 0, 0xffffffff, 0] o1.x=[0, 0, 6, 0] o1.y=[2, 0, 0xfffffff9, 0] o1.z=[1, 0xffffffff, 0, 7] o1.w=[2, 0xffffffff, 0, 0] o2.x=[1, 0xffffffff, 7, 7] o2.y=[3, 0, 7, 2] o2.z=[7, 7, 0xffffffff, 39] o2.w=[4, 7, 0xfffffff8, 37] o3.x=[56, 7, 0x80000000, 28] o3.y=[0, 7, 0, 1] o3.z=[0, 7, 0, 1] o3.w=[3, 0, 0xffffffff, 7] o4.x=[7, 7, 7, 34] o4.y=[3, 0, 7, 7] o4.z=[7, 7, 0xffffffff, 34] o4.w=0xfffffff8 o5.x=0xfffffff9 o5.y=7 o5.z=1 o5.w=0xe0000000 o6.x=3 o6.y=0 o6.z=2 o6.w=2 o7.x=[0, 7, 0, 1] o7.y=[0, 7, 0, 1] o7.z=[55, 0, 7, 551]
; run: in0.x=[0x80000000, 0xffffffff, 0x0, 0x12345678] in0.y=[0xffffffff, 0x80000000, 0x0, 0x9] in0.z=[0x1f, 0x20, 0x4, 0x8] in0.w=0x6 == o0.x=[0x7fffffff, 0x7fffffff, 0, 0x12345681] o0.y=[0x80000001, 0x7fffffff, 0, 0x1234566f] o0.z=[0x80000000, 0x80000000, 0, 0xa3d70a38] o0.w=0 o1.x=[0x7fffffff, 0x7fffffff, 0, 0] o1.y=[0x80000000, 0, 0, 0x205d0b8] o1.z=[0, 0xffffffff, 0xffffffff, 0] o1.w=[0, 1, 0xffffffff, 0x205d0b8] o2.x=[0x80000000, 0x7fffffff, 0xffffffff, 0] o2.y=[0x80000000, 0x80000000, 0, 8] o2.z=[0xffffffff, 0xffffffff, 0, 0x12345679] o2.w=[0x7fffffff, 0x7fffffff, 0, 0x12345671] o3.x=[0, 0xffffffff, 0, 0x68acf000] o3.y=[0xffffffff, 0xffffffff, 0, 0x91a2b] o3.z=[1, 0xffffffff, 0, 0x91a2b] o3.w=[0x80000000, 0x80000000, 0, 9] o4.x=[0xffffffff, 0xffffffff, 0, 0x12345678] o4.y=[0x80000000, 0x80000000, 0, 9] o4.z=[0xffffffff, 0xffffffff, 0, 0x12345678] o4.w=[0x7fffffff, 0, 0xffffffff, 0xedcba987] o5.x=[0x80000000, 1, 0, 0xedcba988] o5.y=[0x80000000, 1, 0, 0x12345678] o5.z=[0xffffffff, 0xffffffff, 0, 1] o5.w=[1, 0xffffffff, 0, 0x1e6a2c48] o6.x=[1, 32, 0, 13] o6.y=[31, 0, 0xffffffff, 3] o6.z=[31, 31, 0xffffffff, 28] o6.w=[30, 0xffffffff, 0xffffffff, 28] o7.x=[0xffffffff, 0xffffffff, 0, 43] o7.y=[1, 0xffffffff, 0, 43] o7.z=[0x80000000, 0xffffffc0, 0, 0x12344978]
