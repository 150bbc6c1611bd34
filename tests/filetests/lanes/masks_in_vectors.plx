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
;   v6:slot0 = first.f32 v4:ymm2, 0xffc00000, v4:ymm2
;   m8:ymm1 = flt.f32 0x00000000, v3:ymm1
;   discard keptmask0, m8:ymm1
;   v10:slot1 = move 0x00000000
;   m11:ymm0 = move m8:ymm1
;   m12:ymm1 = not.mask m8:ymm1
;   jump.unless.any L0 m11:ymm0
;   v14:ymm2 = fdiv.f32 0x3f800000, v4:ymm2
;   out 0.1 bits 32 f32 masked m11:ymm0, v14:ymm2
;   v10:slot1 = merge m11:ymm0, v14:ymm2, v10:slot1
; L0:
;   jump.unless.any L1 m12:ymm1
;   v10:slot1 = merge m12:ymm1, v6:slot0, v10:slot1
; L1:
;   out 0.0 bits 32 f32 v10:slot1
; }
