; test opt simplify_regions ieee
; A branch on a literal.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: pred = lit false
  %2: fp32 = if %1 initial(%0) {
    %3: p0 = sqrt %0
    yield %3
  } else {
    %4: p0 = rcp %0
    yield %4
  }
  out o0.x, %2
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: pred = lit false
;   %2: p0 = rcp %0
;   out o0.x, %2
;   yield
; }
