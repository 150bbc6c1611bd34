; test parse
; All errors of the head, each at its place.
shader "x" stage(fragment) from("t") {
  attr 1 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(0) perspectve center
  bank 0 "C" len(99999999999)
  texture 0 d9
  output 0 "O" color(0) fp32 fp31 - -
  slot p0 = fp32.fast
  slot p2 = half
  array a0 "A" fp32 len(-1)
  source @0 line(1) offset(0) "bad \ escape"
  yield
}
; error[ir-syntax] 4:8: expected number 0, found 1: declarations stand in order
; error[ir-syntax] 5:29: expected an interpolation, found `perspectve`
;   did you mean `perspective`?
; error[ir-syntax] 6:18: the number is too large
; error[ir-syntax] 7:13: expected a texture's shape, found `d9`
; error[ir-syntax] 8:30: expected a type, found `fp31`
; error[ir-syntax] 9:13: `fp32.fast` is not a slot
; error[ir-syntax] 10:8: expected `p1`, found `p2`: declarations stand in order
; error[ir-syntax] 11:25: expected a whole number, found `-`
; error[ir-syntax] 12:31: a backslash that starts no `\u{..}`
