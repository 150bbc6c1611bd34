; test lanes ieee few-avx2
; Where there are no mask registers, masks compete with values for vector registers.
shader "masks" stage(fragment) from("test") {
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
; lanes "masks" model("ieee")
; attributes 4
; outputs 32 32 32 32
; kept 0 1
; slot p0 = fp32
; prologue {
;   m0:ymm0 = const.mask.1
;   keep keptmask0 m0:ymm0
; }
; body {
;   v1:ymm0 = attr 0.0
;   v2:ymm1 = attr 0.1
;   v4:slot0 = first.f32 v2:ymm1, 0xffc00000, v2:ymm1
;   m6:ymm0 = flt.f32 0x00000000, v1:ymm0
;   discard keptmask0, m6:ymm0
;   v8:slot1 = move 0x00000000
;   m9:ymm2 = move m6:ymm0
;   m10:ymm0 = not.mask m6:ymm0
;   jump.unless.any L1 m9:ymm2
;   v12:ymm1 = fdiv.f32 0x3f800000, v2:ymm1
;   out 0.1 bits 32 f32 masked m9:ymm2, v12:ymm1
;   v8:slot1 = merge m9:ymm2, v12:ymm1, v8:slot1
; L1:
;   jump.unless.any L2 m10:ymm0
;   v8:slot1 = merge m10:ymm0, v4:slot0, v8:slot1
; L2:
;   out 0.0 bits 32 f32 v8:slot1
; L0:
; }
