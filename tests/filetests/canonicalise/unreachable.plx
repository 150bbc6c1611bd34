; test canonicalise
; What stands behind a branch both arms of which leave never runs.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: pred = fgt %0, %0 under p0
  %2: fp32 = loop ^0 (%3: fp32 = %0) initial(%0) {
    %4: fp32 = if %1 initial(%0) {
      break ^0 %3
    } else {
      %5: p0 = add %3, %0
      continue ^0 %5
    }
    %6: p0 = mul %4, %4
    out o0.y, %6
    break ^0 %6
  }
  out o0.x, %2
  yield
}
; shader "t" stage(fragment) from("test") {
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: pred = fgt %0, %0 under p0
;   %2: fp32 = loop cost(1) ^0 (%3: fp32 = %0) initial(%0) {
;     if %1 {
;       break ^0 %3
;     } else {
;       yield
;     }
;     %4: p0 = add %3, %0
;     continue ^0 %4
;   }
;   out o0.x, %2
;   yield
; }
