; test canonicalise
; Blocks left at their end only go; ways out of nested blocks go with them.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: pred = fgt %0, %0 under p0
  %2: fp32 = block ^0 initial(%0) {
    %3: fp32 = block ^1 initial(%0) {
      %4: p0 = add %0, %0
      break ^1 %4
    }
    yield %3
  }
  %5: fp32 = block ^2 initial(%0) {
    if %1 {
      break ^2 %0
    } else {
      yield
    }
    yield %2
  }
  out o0.x, %2
  out o0.y, %5
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
;   %2: p0 = add %0, %0
;   %3: fp32 = block ^0 initial(%0) {
;     if %1 {
;       break ^0 %0
;     } else {
;       yield
;     }
;     yield %2
;   }
;   out o0.x, %2
;   out o0.y, %3
;   yield
; }
