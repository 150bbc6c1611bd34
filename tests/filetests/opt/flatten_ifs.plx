; test opt flatten_ifs ieee
; Small arms that only compute become choices, inner branches first.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  %3: pred = fgt %1, %0 under p0
  %4: fp32, %5: fp32 = if %2 initial(%0, %0) {
    %6: p0 = add %0, %1
    %7: fp32 = if %3 initial(%0) {
      yield %6
    } else {
      %8: p0 = mul %6, %6
      yield %8
    }
    yield %7, %1
  } else {
    yield %0, %1
  }
  out o0.x, %4
  out o0.y, %5
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
;   %1: p0 = attr in0.y
;   %2: pred = fgt %0, %1 under p0
;   %3: pred = fgt %1, %0 under p0
;   %4: p0 = add %0, %1
;   %5: p0 = mul %4, %4
;   %6: fp32 = select %3, %4, %5
;   %7: fp32 = select %2, %6, %0
;   out o0.x, %7
;   out o0.y, %1
;   yield
; }
