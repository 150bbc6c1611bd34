; test lanes exact few
; Binary64 takes two registers, and there are three: some values live in memory.
shader "few" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = mul %0, %1
  %3: p0 = add %0, %1
  %4: p0 = mul %2, %3
  out o0.x, %4
  out o0.y, %0
  yield
}
; lanes "few" model("binary64")
; attributes 4
; outputs 64 64 64 64
; slot p0 = fp32
; body {
;   v0:zmm0 = pixel.x
;   v1:zmm1 = pixel.y
;   v2:zmm2 = attr 0.0 v0:zmm0, v1:zmm1
;   v3:slot0 = widen.f32.low v2:zmm2
;   v4:slot1 = widen.f32.high v2:zmm2
;   v6:slot2 = first.f64.low v3:slot0, 0xfff8000000000000, v3:slot0
;   v7:slot3 = first.f64.high v4:slot1, 0xfff8000000000000, v4:slot1
;   v8:zmm2 = attr 0.1 v0:zmm0, v1:zmm1
;   v9:zmm1 = widen.f32.low v8:zmm2
;   v10:zmm2 = widen.f32.high v8:zmm2
;   v11:zmm0 = fmul.f64.low v3:slot0, v9:zmm1
;   v12:slot4 = fmul.f64.high v4:slot1, v10:zmm2
;   v13:zmm1 = fadd.f64.low v3:slot0, v9:zmm1
;   v14:zmm2 = fadd.f64.high v4:slot1, v10:zmm2
;   v15:zmm1 = fmul.f64.low v11:zmm0, v13:zmm1
;   v16:zmm2 = fmul.f64.high v12:slot4, v14:zmm2
;   out 0.0 bits 64 f64 v15:zmm1, v16:zmm2
;   out 0.1 bits 64 f64 v6:slot2, v7:slot3
; L0:
; }
