; How often each byte occurs: counted in the memory of a workgroup first, then added to those of the others.
shader "histogram" stage(compute) from("plx") {
  workgroup 256 1 1
  buffer 0 "data"
  buffer 1 "counts"
  buffer 2 "shared" workgroup(256)
  %0: i32 = sys local_x
  %1: i32 = lit 2
  %2: i32 = shl %0, %1
  %3: i32 = sys group_x
  %4: i32 = lit 10
  %5: i32 = shl %3, %4
  %6: i32 = iadd %5, %2
  %7: i32 = buffer.load b0[%6]
  %8: i32 = lit 255
  %9: i32 = iand %7, %8
  %10: i32 = shl %9, %1
  %11: i32 = lit 1
  %12: i32 = atomic.add b2[%10], %11
  barrier
  %13: i32 = buffer.load b2[%2]
  %14: i32 = atomic.add b1[%2], %13
  yield
}
