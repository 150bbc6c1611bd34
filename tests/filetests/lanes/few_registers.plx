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
;   v2:zmm1 = attr 0.0 v0:zmm0, pixel.y
;   v3:zmm2 = widen.f32.low v2:zmm1
;   v4:slot0 = widen.f32.high v2:zmm1
;   v6:slot1 = first.f64.low v3:zmm2, 0xfff8000000000000, v3:zmm2
;   v7:slot2 = first.f64.high v4:slot0, 0xfff8000000000000, v4:slot0
;   v8:zmm1 = attr 0.1 v0:zmm0, pixel.y
;   v9:zmm0 = widen.f32.low v8:zmm1
;   v10:zmm1 = widen.f32.high v8:zmm1
;   v11:slot3 = fmul.f64.low v3:zmm2, v9:zmm0
;   v12:slot4 = fmul.f64.high v4:slot0, v10:zmm1
;   v13:zmm0 = fadd.f64.low v3:zmm2, v9:zmm0
;   v14:zmm1 = fadd.f64.high v4:slot0, v10:zmm1
;   v15:zmm0 = fmul.f64.low v11:slot3, v13:zmm0
;   v16:zmm1 = fmul.f64.high v12:slot4, v14:zmm1
;   out 0.0 bits 64 f64 v15:zmm0, v16:zmm1
;   out 0.1 bits 64 f64 v6:slot1, v7:slot2
; }
