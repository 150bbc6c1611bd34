; test parse
; Printing what was read changes nothing.
shader "one of everything" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1] \u{22}quoted\u{22}" color(1) flat centroid
  attr 2 "a[0x80]" generic(2) over_w center
  bank 0 "CONST[0]" len(4)
  bank 1 "c[1]" len(2) bytes
  texture 0 d2
  texture 3 shadow_d2
  output 0 "OUT[0]" color(0) fp32 half i32 -
  output 1 "OUT[1]" depth - - fp32 -
  slot p0 = fp32
  slot p1 = half.sat
  slot p2 = fp32.rtz.ftz+.precise.d8
  slot p3 = fx12
  array a0 "TEMP[0..3].x" fp32 len(4)
  source @0 line(4) offset(61) "MOV TEMP[0], IN[0]"
  source @1 line(5) offset(80) "MUL OUT[0].x, TEMP[0], CONST[3]"
  %0: p0 = attr in0.x @0
  %1: p0 = const c0[3].x @0 @1
  %2: p0 = mul %0, %1 @1
  %3: p1 = cvt %2
  %4: p1 = lit 0x1.8p0
  %5: p1 = add %3, %4
  %6: pred = fgt %2, %1 under p0 @1
  %7: cc = cc.of %2 under p0
  %8: pred = cc.test.gt %7
  %9: pred = lit true
  %10: cc = lit unordered
  %11: i32 = lit 17
  %12: i32 = lit 0xffffffff
  %13: p0 = lit nan:0x7fc00001
  %14: p0 = lit -inf
  %15: p3 = lit -0x1.8p0
  %16: p2 = mad %0, %1, %13
  %17: fp32 = select %6, %2, %14
  %18: p0 = const.at c0[%11 - 2].y
  %19: i32 = attr.at in[%11].w
  %20: i32 = sys front_facing
  %21: p0 = ddx %17
  %22: p0 = ddy.fine %17
  %23: fp32 = quad.xor 3, %22
  %24: pred = quad.any %8
  %25: p0, %26: p0, %27: p0, %28: p0 = tex bias d2 unit(0) project offset(1, 0, -2) %0, %1, %2, %2
  %29: p0, %30: p0, %31: p0, %32: p0 = tex grad shadow_d2 unit(3) %0, %1, %2, %2, %1, %0, %0, %0, %0, %0, %0
  store a0[%11], %25 @1
  %33: fp32 = load a0[%20]
  discard %24
  discard.samples %11
  %34: fp32, %35: i32 = if %6 initial(%0, %11) @1 {
    %36: p0 = sqrt %33
    yield %36, %11
  } else {
    yield %2, %12
  }
  %37: i32 = block ^0 initial(%11) {
    %38: i32 = loop ^1 (%39: i32 = %35, %40: fp32 = %34) initial(%11) {
      %41: i32 = iadd %39, %11
      %42: pred = ilt %41, %20
      if %42 {
        break ^1 %41
      } else {
        yield
      }
      %43: pred = ilt %11, %41
      if %43 {
        break ^0 %12
      } else {
        yield
      }
      continue ^1 %41, %40
    }
    yield %38
  }
  loop ^2 {
    break ^2
  }
  %44: i32 = sample.position.x %11
  %45: i32 = sample.position.y %44
  out o0.x, %34
  out o0.y, %5
  out o0.z, %37
  out o1.z, %21
  yield
}
; unchanged
