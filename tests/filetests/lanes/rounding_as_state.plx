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
;   v5:slot1 = first.f32 v3:ymm1, 0xffc00000, v3:ymm1
;   v6:ymm0 = fmul.f32.ftz v1:slot0, v3:ymm1
;   m8:ymm2 = feq.f32 v1:slot0, 0x00000000
;   m9:slot2 = feq.f32 v3:ymm1, 0x00000000
;   m10:ymm2 = or.mask m8:ymm2, m9:slot2
;   v11:ymm2 = select.f32 m10:ymm2, 0x00000000, v6:ymm0
;   mode rtz.ftz
;   v12:ymm1 = fmul.f32.rtz.ftz v11:ymm2, v3:ymm1
;   m13:ymm0 = feq.f32 v11:ymm2, 0x00000000
;   m14:ymm0 = or.mask m9:slot2, m13:ymm0
;   v15:ymm0 = select.f32 m14:ymm0, 0x00000000, v12:ymm1
;   v16:ymm1 = fabs.f32 v15:ymm0
;   m18:ymm1 = feq.f32 v16:ymm1, 0x7f7fffff
;   v19:ymm0 = move v15:ymm0
;   v19:ymm0 = redo mul p1 f32 (f32 f32 -> f32) m18:ymm1, v11:ymm2, v5:slot1, v19:ymm0
;   v20:ymm0 = flush.f32 v19:ymm0
;   mode nearest.ftz
;   v21:ymm0 = fadd.f32.ftz v20:ymm0, v1:slot0
;   out 0.0 bits 32 f32 v21:ymm0
; L0:
; }
