; test lanes nv-patent few-avx2
; AVX2 has the direction of rounding in its state: the one that most instructions ask for is usual, and others change it.
shader "rounding" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  slot p1 = fp32.rtz
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = mul %0, %1
  %3: p1 = mul %2, %1
  %4: p0 = add %3, %0
  out o0.x, %4
  yield
}
; lanes "rounding" model("nv-patent") mode(nearest.ftz)
; attributes 4
; outputs 32 32 32 32
; slot p0 = fp32
; slot p1 = fp32.rtz
; body {
;   v0:ymm0 = pixel.x
;   v2:ymm1 = attr 0.0 v0:ymm0, pixel.y
;   v3:slot0 = flush.f32 v2:ymm1
;   v4:ymm2 = attr 0.1 v0:ymm0, pixel.y
;   v5:ymm2 = flush.f32 v4:ymm2
;   v7:ymm0 = first.f32 v5:ymm2, 0xffc00000, v5:ymm2
;   v8:slot1 = fmulz.f32.ftz v3:slot0, v5:ymm2
;   mode rtz.ftz
;   v9:ymm2 = fmulz.f32.rtz.ftz v8:slot1, v5:ymm2
;   v10:ymm1 = fabs.f32 v9:ymm2
;   m12:ymm1 = feq.f32 v10:ymm1, 0x7f7fffff
;   v13:ymm2 = move v9:ymm2
;   v13:ymm2 = redo mul p1 f32 (f32 f32 -> f32) m12:ymm1, v8:slot1, v7:ymm0, v13:ymm2
;   v14:ymm2 = flush.f32 v13:ymm2
;   mode nearest.ftz
;   v15:ymm2 = fadd.f32.ftz v14:ymm2, v3:slot0
;   out 0.0 bits 32 f32 v15:ymm2
; }
