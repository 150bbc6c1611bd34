; Sums of all numbers before, in each workgroup of 1,024 invocations: every step doubles how far a sum reaches.
shader "prefix_sum" stage(compute) from("plx") {
  workgroup 1024 1 1
  buffer 0 "data"
  buffer 1 "shared" workgroup(1024)
  %0: i32 = sys local_x
  %1: i32 = lit 2
  %2: i32 = shl %0, %1
  %3: i32 = sys group_x
  %4: i32 = lit 12
  %5: i32 = shl %3, %4
  %6: i32 = iadd %5, %2
  %7: i32 = buffer.load b0[%6]
  buffer.store b1[%2], %7
  %8: i32 = lit 4
  %9: i32 = lit 4096
  %10: i32 = lit 0
  barrier
  loop ^11 (%12: i32 = %8) {
    %13: i32 = isub %2, %12
    %14: pred = ile %12, %2
    %15: i32 = buffer.load b1[%13]
    %16: i32 = select %14, %15, %10
    %17: i32 = buffer.load b1[%2]
    %18: i32 = iadd %16, %17
    barrier
    buffer.store b1[%2], %18
    barrier
    %19: i32 = iadd %12, %12
    %20: pred = ilt %19, %9
    if %20 {
      yield
    } else {
      break ^11
    }
    continue ^11 %19
  }
  %21: i32 = buffer.load b1[%2]
  buffer.store b0[%6], %21
  yield
}
