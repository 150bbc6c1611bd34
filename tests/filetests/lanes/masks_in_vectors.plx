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
;   v1:ymm0 = pixel.x
;   v3:ymm1 = attr 0.0 v1:ymm0, pixel.y
;   v4:ymm2 = attr 0.1 v1:ymm0, pixel.y
;   m6:ymm1 = flt.f32 0x00000000, v3:ymm1
;   discard keptmask0, m6:ymm1
;   v8:slot0 = move 0x00000000
;   m9:ymm0 = move m6:ymm1
;   m10:slot1 = not.mask m6:ymm1
;   jump.unless.any L0 m9:ymm0
;   v12:ymm1 = fdiv.f32 0x3f800000, v4:ymm2
;   out 0.1 bits 32 f32 masked m9:ymm0, v12:ymm1
;   v8:slot0 = merge m9:ymm0, v12:ymm1, v8:slot0
; L0:
;   jump.unless.any L1 m10:slot1
;   v8:slot0 = merge m10:slot1, v4:ymm2, v8:slot0
; L1:
;   out 0.0 bits 32 f32 v8:slot0
; }
