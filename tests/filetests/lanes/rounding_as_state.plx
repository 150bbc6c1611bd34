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
;   v3:ymm2 = attr 0.1 v0:ymm0, pixel.y
;   v4:slot0 = flush.f32 v2:ymm1
;   v5:ymm0 = flush.f32 v3:ymm2
;   v6:slot1 = fmulz.f32.ftz v4:slot0, v5:ymm0
;   mode rtz.ftz
;   v7:ymm0 = fmulz.f32.rtz.ftz v6:slot1, v5:ymm0
;   v8:ymm1 = fabs.f32 v7:ymm0
;   m10:ymm1 = feq.f32 v8:ymm1, 0x7f7fffff
;   v11:ymm0 = move v7:ymm0
;   v11:ymm0 = redo mul p1 f32 (f32 f32 -> f32) m10:ymm1, v6:slot1, v3:ymm2, v11:ymm0
;   v12:ymm0 = flush.f32 v11:ymm0
;   mode nearest.ftz
;   v13:ymm0 = fadd.f32.ftz v12:ymm0, v4:slot0
;   out 0.0 bits 32 f32 v13:ymm0
; }
