; test lanes nv-patent
; A multiply-add under flushing: what a constant needs is computed once, in the prologue; the choice of NaN is no instruction.
shader "blend" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = const c0[0].x
  %2: p0 = const c0[1].x
  %3: p0 = mad %0, %1, %2
  out o0.x, %3
  yield
}
; lanes "blend" model(nv-patent) mode(nearest.ftz)
; uniform0: bank 0[0].0
; uniform1: bank 0[1].0
; prologue {
;   v5 = flush.f32 uniform0
;   v8 = flush.f32 uniform1
;   m12 = feq.f32 v5, 0x00000000
;   keep keptmask0 m12
;   keep kept0 v5
;   keep kept1 v8
; }
; body {
;   v0 = attr 0.0
;   v1 = flush.f32 v0
;   m11 = feq.f32 v1, 0x00000000
;   m14 = or.mask m11, keptmask0
;   v16 = fmul.f32.ftz v1, kept0
;   v17 = select.f32 m14, 0x00000000, v16
;   v19 = fadd.f32.ftz v17, kept1
;   out 0.0 bits 32 v19
; L0:
; }
