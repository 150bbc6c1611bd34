; test lanes ieee
; All lanes take a loop alike that counts to three: one iteration after the other, and as it is for lanes with too little fuel.
shader "counted" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = lit 3
  %4: fp32 = loop ^5 (%6: i32 = %1, %7: fp32 = %0) initial(%0) {
    %8: p0 = mul %7, %0
    %9: i32 = iadd %6, %2
    %10: pred = ilt %9, %3
    if %10 {
      yield
    } else {
      break ^5 %8
    }
    continue ^5 %9, %8
  }
  out o0.x, %4
  yield
}
; lanes "counted" model("ieee")
; attributes 4
; outputs 32 - - -
; kept 0 1
; slot p0 = fp32
; prologue {
;   m0 = const.mask.1
;   keep keptmask0 m0
; }
; body {
;   v1 = pixel.x
;   v3 = attr 0.0 v1, pixel.y
;   spend 2 L0
;   v4 = move v3
;   v5 = fmul.f32 v4, v3
;   v6 = move v5
;   v7 = fmul.f32 v6, v3
;   v8 = move v7
;   v9 = fmul.f32 v8, v3
;   v10 = move v9
;   jump L1
; L0:
;   v12 = move 0x00000000
;   v13 = move v3
; L2:
;   v14 = fmul.f32 v13, v3
;   v16 = add.i32 v12, 0x00000001
;   m18 = lt.i32 v16, 0x00000003
;   jump.if.any L3 m18
;   v10 = move v14
;   jump L1
; L3:
;   fuel.uniform 1 L4 keptmask0
;   v12 = move v16
;   v13 = move v14
;   jump L2
; L4:
;   v10 = move v3
; L1:
;   out 0.0 bits 32 f32 v10
; }
