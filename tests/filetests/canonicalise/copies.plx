; test canonicalise
; `select` of equal values, parameters that never change, results that every way out passes.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  %3: fp32 = select %2, %0, %0
  %4: fp32 = if %2 initial(%0) {
    %5: p0 = add %0, %1
    out o0.y, %5
    yield %1
  } else {
    yield %1
  }
  %6: fp32, %7: fp32 = loop ^0 (%8: fp32 = %0, %9: fp32 = %4) initial(%0, %0) {
    %10: p0 = add %8, %9
    %11: pred = fgt %10, %1 under p0
    if %11 {
      break ^0 %10, %9
    } else {
      yield
    }
    continue ^0 %10, %9
  }
  out o0.x, %3
  out o0.z, %6
  out o0.w, %7
  yield
}
; shader "t" stage(fragment) from("test") {
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: p0 = attr in0.y
;   %2: pred = fgt %0, %1 under p0
;   if %2 {
;     %3: p0 = add %0, %1
;     out o0.y, %3
;     yield
;   } else {
;     yield
;   }
;   %4: fp32, %5: fp32 = loop cost(1) ^0 (%6: fp32 = %0) initial(%0, %0) {
;     %7: p0 = add %6, %1
;     %8: pred = fgt %7, %1 under p0
;     if %8 {
;       break ^0 %7, %1
;     } else {
;       yield
;     }
;     continue ^0 %7
;   }
;   out o0.x, %0
;   out o0.z, %4
;   out o0.w, %5
;   yield
; }
