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
; lanes "rounding" model(nv-patent) mode(nearest.ftz)
; body {
;   v0:ymm0 = attr 0.0
;   v1:slot0 = flush.f32 v0:ymm0
;   v4:ymm1 = attr 0.1
;   v5:ymm1 = flush.f32 v4:ymm1
;   v6:slot1 = first.f32 v5:ymm1, 0xffc00000, v5:ymm1
;   v7:ymm0 = fmul.f32.ftz v1:slot0, v5:ymm1
;   m9:ymm2 = feq.f32 v1:slot0, 0x00000000
;   m10:slot2 = feq.f32 v5:ymm1, 0x00000000
;   m11:ymm2 = or.mask m9:ymm2, m10:slot2
;   v12:ymm2 = select.f32 m11:ymm2, 0x00000000, v7:ymm0
;   mode rtz.ftz
;   v13:ymm1 = fmul.f32.rtz.ftz v12:ymm2, v5:ymm1
;   m14:ymm0 = feq.f32 v12:ymm2, 0x00000000
;   m15:ymm0 = or.mask m10:slot2, m14:ymm0
;   v16:ymm0 = select.f32 m15:ymm0, 0x00000000, v13:ymm1
;   v17:ymm1 = fabs.f32 v16:ymm0
;   m19:ymm1 = feq.f32 v17:ymm1, 0x7f7fffff
;   v20:ymm0 = move v16:ymm0
;   v20:ymm0 = redo mul m19:ymm1, v12:ymm2, v6:slot1, v20:ymm0
;   v21:ymm0 = flush.f32 v20:ymm0
;   mode nearest.ftz
;   v22:ymm0 = fadd.f32.ftz v21:ymm0, v1:slot0
;   out 0.0 bits 32 v22:ymm0
; L0:
; }
