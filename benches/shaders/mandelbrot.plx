; The Mandelbrot set in binary64: how many of at most 200 steps each of 128 by 128 points takes to get away.
shader "mandelbrot" stage(compute) from("plx") {
  workgroup 16 16 1
  buffer 0 "steps"
  slot p0 = fp64
  %0: i32 = sys local_x
  %1: i32 = sys local_y
  %2: i32 = sys group_x
  %3: i32 = sys group_y
  %4: i32 = lit 4
  %5: i32 = shl %2, %4
  %6: i32 = iadd %5, %0
  %7: i32 = shl %3, %4
  %8: i32 = iadd %7, %1
  %9: p0 = lit 0x1.8p-6
  %10: p0 = lit -2.25
  %11: p0 = lit -1.5
  %12: p0 = u2f %6
  %13: p0 = fma %12, %9, %10
  %14: p0 = u2f %8
  %15: p0 = fma %14, %9, %11
  %16: p0 = lit 0
  %17: p0 = lit 4
  %18: i32 = lit 0
  %19: i32 = lit 1
  %20: i32 = lit 200
  %21: i32 = loop ^22 (%23: i32 = %18, %24: fp64 = %16, %25: fp64 = %16) initial(%18) {
    %26: p0 = mul %24, %24
    %27: p0 = mul %25, %25
    %28: p0 = add %26, %27
    %29: pred = fle %28, %17 under p0
    %30: pred = ilt %23, %20
    %31: pred = pand %29, %30
    if %31 {
      yield
    } else {
      break ^22 %23
    }
    %32: p0 = sub %26, %27
    %33: p0 = add %32, %13
    %34: p0 = add %24, %24
    %35: p0 = fma %34, %25, %15
    %36: i32 = iadd %23, %19
    continue ^22 %36, %33, %35
  }
  %37: i32 = lit 7
  %38: i32 = shl %8, %37
  %39: i32 = iadd %38, %6
  %40: i32 = lit 2
  %41: i32 = shl %39, %40
  buffer.store b0[%41], %21
  yield
}
