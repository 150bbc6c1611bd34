; test canonicalise
; A loop with back edges is never removed: its fuel is seen. One without is.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  loop ^0 (%1: fp32 = %0) {
    %2: p0 = add %1, %0
    %3: pred = fgt %2, %0 under p0
    if %3 {
      break ^0
    } else {
      yield
    }
    continue ^0 %2
  }
  loop ^1 (%4: fp32 = %0) {
    %5: p0 = add %4, %0
    break ^1
  }
  out o0.x, %0
  yield
}
; shader "t" stage(fragment) from("test") {
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   loop cost(1) ^0 (%1: fp32 = %0) {
;     %2: p0 = add %1, %0
;     %3: pred = fgt %2, %0 under p0
;     if %3 {
;       break ^0
;     } else {
;       yield
;     }
;     continue ^0 %2
;   }
;   out o0.x, %0
;   yield
; }
