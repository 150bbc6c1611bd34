; test parse
; Bound text: literals are patterns of the container; rules follow from op, slot and model.
shader "b" stage(fragment) from("t") {
  bind "nv40"
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 half - -
  slot p0 = fp32
  slot p1 = half.sat
  %0: p0 = attr in0.x
  %1: p0 = lit 0x3f800001
  %2: p0 = mad %0, %1, %1
  %3: p1 = cvt %2
  %4: p1 = lit 0x3c00
  %5: p1 = min %3, %4
  out o0.x, %2
  out o0.y, %5
  yield
}
; unchanged
