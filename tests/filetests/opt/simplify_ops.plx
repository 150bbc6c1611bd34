; test opt simplify_ops ieee
; One walk: the folded constant makes a factor 1, the product is the reciprocal itself, so the two sums are equal.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = lit 0.5
  %2: p0 = lit 0.5
  %3: p0 = add %1, %2
  %4: p0 = rcp %0
  %5: p0 = mul %4, %3
  %6: p0 = add %4, %0
  %7: p0 = add %5, %0
  %8: pred = feq %6, %7 under p0
  %9: fp32 = select %8, %6, %7
  out o0.x, %9
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: p0 = lit 0x3f000000
;   %2: p0 = lit 0x3f800000
;   %3: p0 = rcp %0
;   %4: p0 = add %3, %0
;   %5: pred = feq %4, %4 under p0
;   out o0.x, %4
;   yield
; }
