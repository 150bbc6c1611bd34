; test run ieee
; Atomics: each word of a buffer is changed by one operation, lane by lane.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  output 1 "OUT[1]" generic(1) i32 i32 i32 i32
  output 2 "OUT[2]" generic(2) i32 i32 i32 i32
  buffer 0 "BUFFER[0]"
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = lit 0
  %3: i32 = atomic.add b0[%2], %0
  %4: i32 = lit 4
  %5: i32 = atomic.min_u b0[%4], %0
  %6: i32 = lit 8
  %7: i32 = atomic.max_u b0[%6], %0
  %8: i32 = lit 12
  %9: i32 = atomic.min_i b0[%8], %0
  %10: i32 = lit 16
  %11: i32 = atomic.max_i b0[%10], %0
  %12: i32 = lit 20
  %13: i32 = atomic.and b0[%12], %0
  %14: i32 = lit 24
  %15: i32 = atomic.or b0[%14], %0
  %16: i32 = lit 28
  %17: i32 = atomic.xor b0[%16], %0
  %18: i32 = lit 32
  %19: i32 = atomic.exchange b0[%18], %0
  %20: i32 = lit 36
  %21: i32 = atomic.inc_wrap b0[%20], %0
  %22: i32 = lit 40
  %23: i32 = atomic.dec_wrap b0[%22], %0
  %24: i32 = lit 44
  %25: i32 = atomic.cmpxchg b0[%24], %0, %1
  out o0.x, %3
  out o0.y, %5
  out o0.z, %7
  out o0.w, %9
  out o1.x, %11
  out o1.y, %13
  out o1.z, %15
  out o1.w, %17
  out o2.x, %19
  out o2.y, %21
  out o2.z, %23
  out o2.w, %25
  yield
}
; run: in0.x=[0x3, 0x2, 0x80000001, 0x5] in0.y=[0x2, 0x7, 0x8, 0x9] b0=[0x1, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xff, 0xf0, 0xff, 0x9, 0x2, 0x1, 0x3] == o0.x=[1, 4, 6, 0x80000007] o0.y=[0x80000000, 3, 2, 2] o0.z=[0x80000000, 0x80000000, 0x80000000, 0x80000001] o0.w=0x80000000 o1.x=[0x80000000, 3, 3, 3] o1.y=[255, 3, 2, 0] o1.z=[240, 243, 243, 0x800000f3] o1.w=[255, 252, 254, 0x800000ff] o2.x=[9, 3, 2, 0x80000001] o2.y=[2, 3, 0, 1] o2.z=[1, 0, 2, 1] o2.w=[3, 2, 7, 7] b0=[0x8000000c, 0x2, 0x80000001, 0x80000000, 0x5, 0x0, 0x800000f7, 0x800000fa, 0x5, 0x2, 0x0, 0x7]
; run: in0.x=[0x3, 0x2, 0x1, 0x5, 0, 0xffffffff, 0x10, 0x20] in0.y=[0x2, 0x1, 0x8, 0x9, 0xa, 0xb, 0xc, 0xd] covered=[1, 1, 0, 1, 0, 1, 1, 1] b0=[0x1, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0xff, 0xf0, 0xff, 0x9, 0x2, 0x1, 0x3] == o0.x=[1, 4, _, 6, _, 11, 10, 26] o0.y=[0x80000000, 3, _, 2, _, 2, 2, 2] o0.z=[0x80000000, 0x80000000, _, 0x80000000, _, 0x80000000, 0xffffffff, 0xffffffff] o0.w=[0x80000000, 0x80000000, _, 0x80000000, _, 0x80000000, 0x80000000, 0x80000000] o1.x=[0x80000000, 3, _, 3, _, 5, 5, 16] o1.y=[255, 3, _, 2, _, 0, 0, 0] o1.z=[240, 243, _, 243, _, 247, 0xffffffff, 0xffffffff] o1.w=[255, 252, _, 254, _, 251, 0xffffff04, 0xffffff14] o2.x=[9, 3, _, 2, _, 5, 0xffffffff, 16] o2.y=[2, 3, _, 0, _, 1, 2, 3] o2.z=[1, 0, _, 2, _, 1, 0, 16] o2.w=[3, 2, _, 1, _, 1, 1, 1] b0=[0x3a, 0x2, 0xffffffff, 0x80000000, 0x20, 0x0, 0xffffffff, 0xffffff34, 0x20, 0x4, 0xf, 0x1]
