; test run ieee
; The value of a lane named by number, each lane its own; values of any type.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" generic(0) i32 fp32 pred -
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = quad.shuffle %0, %1
  %3: p0 = attr in0.x
  %4: fp32 = quad.shuffle %3, %0
  %5: pred = ult %0, %1
  %6: pred = quad.shuffle %5, %1
  out o0.x, %2
  out o0.y, %4
  out o0.z, %6
  yield
}
; run: in0.x=[0xa, 0xb, 0xc, 0xd, 0x1, 0x2, 0x3, 0x4] in0.y=[0x3, 0x2, 0x1, 0x0, 0x4, 0x5, 0xffffffff, 0x2] == o0.x=[13, 12, 11, 10, 1, 2, 4, 3] o0.y=[0x1.8p-146, 0x1.ap-146, 0x1.4p-146, 0x1.6p-146, 0x1p-148, 0x1.8p-148, 0x1p-147, 0x1p-149] o0.z=[0, 0, 0, 0, 1, 1, 0, 1]
