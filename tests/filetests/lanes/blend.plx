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
; lanes "blend" model("nv-patent") mode(nearest.ftz)
; attributes 4
; outputs 32 32 32 32
; kept 3 0
; slot p0 = fp32
; uniform0: bank 0[0].0
; uniform1: bank 0[1].0
; prologue {
;   v1 = flush.f32 uniform0
;   v3 = flush.f32 uniform1
;   m5 = feq.f32 v1, 0x00000000
;   v7 = select.f32 m5, 0x00000000, 0x7fffffff
;   keep kept0 v7
;   keep kept1 v1
;   keep kept2 v3
; }
; body {
;   v8 = pixel.x
;   v10 = attr 0.0 v8, pixel.y
;   v11 = flush.f32 v10
;   v14 = fmulz.f32.ftz v11, kept1, kept0
;   v16 = fadd.f32.ftz v14, kept2
;   out 0.0 bits 32 f32 v16
; }
