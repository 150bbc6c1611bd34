; test parse
; All errors of the body; a value whose own statement is wrong is no further error.
shader "x" stage(fragment) from("t") {
  attr 0 "IN[0]" generic(0) perspective center
  slot p0 = fp32
  slot p1 = half
  %0: p0 = attr in0.q
  %1: p0 = atr in0.x
  %2: p0 = mul %0, %1
  %3: p0 = lit 0.1.2
  %4: p1 = lit 0.1
  %5: p0 = attr in0.x
  %5: p0 = attr in0.y
  %6: p0, %7: p1 = add %5, %5
  %8: p0 = add %5, %99
  %9: i32 = lit 5000000000
  %10: pred = lit maybe
  %11: p9 = add %5, %5
  break ^4
  %12: p0 = add %5, %5 @3
  if %5 {
    %13: p0 = addd %5, %5
    yield
  } els {
    yield
  }
  yield %5
}
; error[ir-syntax] 7:21: expected `x`, `y`, `z` or `w`, found `q`
; error[ir-syntax] 8:12: expected an op, found `atr`
;   did you mean `attr`?
; error[ir-syntax] 10:19: expected an op, found `.2`
; error[ir-syntax] 11:16: `0.1` is no value of half
; error[ir-redefined] 13:3: %5 is defined twice
; error[ir-syntax] 14:11: an op has one slot; p0 was named before p1
; error[ir-unknown] 15:20: %99 is not defined above
; error[ir-syntax] 16:17: the number does not fit i32
; error[ir-syntax] 17:19: expected `true` or `false`, found `maybe`
; error[ir-syntax] 18:8: slot p9 is not declared
; error[ir-unknown] 19:9: ^4 is not defined above
; error[ir-syntax] 20:25: source @3 is not declared
; error[ir-syntax] 22:15: expected an op, found `addd`
;   did you mean `add`?
; error[ir-syntax] 24:5: expected `else`, found `els`
