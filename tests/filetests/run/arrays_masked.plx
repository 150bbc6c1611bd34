; test run ieee
; Stores act in executing lanes only; loads see earlier stores, from earlier iterations too.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  array a0 "A" fp32 len(3)
  array a1 "B" i32 len(2)
  %0: i32 = sys quad_lane
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = lit 2
  %4: pred = ult %0, %3
  if %4 {
    store a1[%1], %3
    yield
  } else {
    store a1[%2], %0
    yield
  }
  %5: i32 = loop ^0 (%6: i32 = %1) initial(%1) {
    %7: i32 = load a1[%1]
    %8: i32 = iadd %7, %2
    store a1[%1], %8
    %9: pred = ieq %6, %0
    if %9 {
      break ^0 %8
    } else {
      yield
    }
    %10: i32 = iadd %6, %2
    continue ^0 %10
  }
  %11: i32 = load a1[%1]
  %12: i32 = load a1[%2]
  out o0.x, %5
  out o0.y, %11
  out o0.z, %12
  yield
}
; run: == o0.x=[3, 4, 3, 4] o0.y=[3, 4, 3, 4] o0.z=[0, 0, 2, 3] o0.w=0
