; The product of two matrices of 256 by 256, in tiles of 16 by 16 that each workgroup brings to its own memory.
shader "matrix_product" stage(compute) from("plx") {
  workgroup 16 16 1
  buffer 0 "a"
  buffer 1 "b"
  buffer 2 "c" floats
  buffer 3 "tile_a" workgroup(256)
  buffer 4 "tile_b" workgroup(256)
  slot p0 = fp32
  %0: i32 = sys local_x
  %1: i32 = sys local_y
  %2: i32 = sys group_x
  %3: i32 = sys group_y
  %4: i32 = lit 2
  %5: i32 = lit 6
  %6: i32 = lit 10
  %7: i32 = lit 14
  %8: i32 = shl %0, %4
  %9: i32 = shl %1, %5
  %10: i32 = iadd %9, %8
  %11: i32 = shl %3, %7
  %12: i32 = shl %1, %6
  %13: i32 = iadd %11, %12
  %14: i32 = iadd %13, %8
  %15: i32 = shl %2, %5
  %16: i32 = iadd %15, %8
  %17: i32 = iadd %12, %16
  %18: i32 = iadd %13, %16
  %19: i32 = lit 0
  %20: p0 = lit 0
  %21: i32 = lit 1
  %22: i32 = lit 16
  %23: i32 = lit 64
  %24: i32 = lit 4
  %25: fp32 = loop ^26 (%27: i32 = %19, %28: fp32 = %20) initial(%20) {
    %29: i32 = shl %27, %5
    %30: i32 = iadd %14, %29
    %31: i32 = buffer.load b0[%30]
    buffer.store b3[%10], %31
    %32: i32 = shl %27, %7
    %33: i32 = iadd %17, %32
    %34: i32 = buffer.load b1[%33]
    buffer.store b4[%10], %34
    barrier
    %35: fp32 = loop ^36 (%37: i32 = %19, %38: fp32 = %28) initial(%20) {
      %39: i32 = shl %37, %4
      %40: i32 = iadd %9, %39
      %41: i32 = buffer.load b3[%40]
      %42: i32 = shl %37, %5
      %43: i32 = iadd %8, %42
      %44: i32 = buffer.load b4[%43]
      %45: p0 = bits.to %41
      %46: p0 = bits.to %44
      %47: p0 = fma %45, %46, %38
      %48: i32 = iadd %37, %21
      %49: pred = ilt %48, %22
      if %49 {
        yield
      } else {
        break ^36 %47
      }
      continue ^36 %48, %47
    }
    barrier
    %50: i32 = iadd %27, %21
    %51: pred = ilt %50, %22
    if %51 {
      yield
    } else {
      break ^26 %35
    }
    continue ^26 %50, %35
  }
  %52: i32 = bits.of %25 under p0
  buffer.store b2[%18], %52
  yield
}
