; test verify binary64
; Binding a sound shader gives a sound one, whatever the container.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(0) i32 i32 i32 i32
  slot p0 = fp32
  slot p1 = half
  slot p2 = fp64
  slot p3 = fx12
  %0: p0 = attr in0.x
  %1: p1 = cvt %0
  %2: p2 = cvt %1
  %3: p3 = cvt %2
  %4: p1 = lit 0x1.8p0
  %5: i32 = bits.of %4 under p1
  out o0.x, %0
  out o1.x, %5
  yield
}
; ok
