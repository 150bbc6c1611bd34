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
;   v0:ymm0 = attr 0.0
;   v1:slot0 = flush.f32 v0:ymm0
;   v2:ymm1 = attr 0.1
;   v3:ymm1 = flush.f32 v2:ymm1
;   v5:ymm2 = first.f32 v3:ymm1, 0xffc00000, v3:ymm1
;   v6:slot1 = fmulz.f32.ftz v1:slot0, v3:ymm1
;   mode rtz.ftz
;   v7:ymm1 = fmulz.f32.rtz.ftz v6:slot1, v3:ymm1
;   v8:ymm0 = fabs.f32 v7:ymm1
;   m10:ymm0 = feq.f32 v8:ymm0, 0x7f7fffff
;   v11:ymm1 = move v7:ymm1
;   v11:ymm1 = redo mul p1 f32 (f32 f32 -> f32) m10:ymm0, v6:slot1, v5:ymm2, v11:ymm1
;   v12:ymm1 = flush.f32 v11:ymm1
;   mode nearest.ftz
;   v13:ymm1 = fadd.f32.ftz v12:ymm1, v1:slot0
;   out 0.0 bits 32 f32 v13:ymm1
; L0:
; }
