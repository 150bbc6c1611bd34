; The accelerations of 256 bodies, each by the attraction of all: position and mass in four words, softened distances.
shader "n_body" stage(compute) from("plx") {
  workgroup 256 1 1
  buffer 0 "bodies" floats
  buffer 1 "accelerations" floats
  slot p0 = fp32
  %0: i32 = sys local_x
  %1: i32 = lit 4
  %2: i32 = shl %0, %1
  %3: i32 = lit 8
  %4: i32 = lit 12
  %5: i32 = lit 0
  %6: i32 = lit 1
  %7: i32 = lit 256
  %8: p0 = lit 0
  %9: p0 = lit 1
  %10: p0 = lit 0x1p-7
  %11: i32 = buffer.load b0[%2]
  %12: p0 = bits.to %11
  %13: i32 = iadd %2, %1
  %14: i32 = buffer.load b0[%13]
  %15: p0 = bits.to %14
  %16: i32 = iadd %2, %3
  %17: i32 = buffer.load b0[%16]
  %18: p0 = bits.to %17
  %19: fp32, %20: fp32, %21: fp32 = loop ^22 (%23: i32 = %5, %24: fp32 = %8, %25: fp32 = %8, %26: fp32 = %8) initial(%8, %8, %8) {
    %27: i32 = shl %23, %1
    %28: i32 = buffer.load b0[%27]
    %29: p0 = bits.to %28
    %30: i32 = iadd %27, %1
    %31: i32 = buffer.load b0[%30]
    %32: p0 = bits.to %31
    %33: i32 = iadd %27, %3
    %34: i32 = buffer.load b0[%33]
    %35: p0 = bits.to %34
    %36: i32 = iadd %27, %4
    %37: i32 = buffer.load b0[%36]
    %38: p0 = bits.to %37
    %39: p0 = sub %29, %12
    %40: p0 = sub %32, %15
    %41: p0 = sub %35, %18
    %42: p0 = fma %41, %41, %10
    %43: p0 = fma %40, %40, %42
    %44: p0 = fma %39, %39, %43
    %45: p0 = sqrt %44
    %46: p0 = div %9, %45
    %47: p0 = mul %46, %46
    %48: p0 = mul %46, %47
    %49: p0 = mul %38, %48
    %50: p0 = fma %39, %49, %24
    %51: p0 = fma %40, %49, %25
    %52: p0 = fma %41, %49, %26
    %53: i32 = iadd %23, %6
    %54: pred = ilt %53, %7
    if %54 {
      yield
    } else {
      break ^22 %50, %51, %52
    }
    continue ^22 %53, %50, %51, %52
  }
  %55: i32 = bits.of %19 under p0
  buffer.store b1[%2], %55
  %56: i32 = iadd %2, %1
  %57: i32 = bits.of %20 under p0
  buffer.store b1[%56], %57
  %58: i32 = iadd %2, %3
  %59: i32 = bits.of %21 under p0
  buffer.store b1[%58], %59
  yield
}
