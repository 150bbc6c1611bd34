; test lanes ieee
; Lanes that take no arm keep the initial value; an arm that no lane takes is jumped over.
shader "branch" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = lit 0
  %3: pred = fgt %0, %2 under p0
  discard %3
  %4: fp32 = if %3 initial(%2) {
    %5: p0 = rcp %1
    out o0.y, %5
    yield %5
  } else {
    yield %1
  }
  out o0.x, %4
  yield
}
; lanes "branch" model("ieee")
; attributes 4
; outputs 32 32 32 32
; kept 0 1
; slot p0 = fp32
; prologue {
;   m0 = const.mask.1
;   keep keptmask0 m0
; }
; body {
;   v1 = pixel.x
;   v3 = attr 0.0 v1, pixel.y
;   v4 = attr 0.1 v1, pixel.y
;   m6 = flt.f32 0x00000000, v3
;   discard keptmask0, m6
;   v8 = move 0x00000000
;   m9 = move m6
;   m10 = not.mask m6
;   jump.unless.any L0 m9
;   v12 = fdiv.f32 0x3f800000, v4
;   out 0.1 bits 32 f32 masked m9, v12
;   v8 = merge m9, v12, v8
; L0:
;   jump.unless.any L1 m10
;   v8 = merge m10, v4, v8
; L1:
;   out 0.0 bits 32 f32 v8
; }
