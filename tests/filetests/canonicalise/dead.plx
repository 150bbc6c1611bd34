; test canonicalise
; Values nobody reads, results, parameters, branches and blocks that do nothing.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = sin %0
  %2: pred = fgt %0, %0 under p0
  %3: fp32, %4: fp32 = if %2 initial(%0, %0) {
    %5: p0 = add %0, %0
    %6: p0 = cos %0
    yield %5, %6
  } else {
    yield %0, %0
  }
  if %2 {
    %7: p0 = rcp %0
    yield
  } else {
    yield
  }
  %8: fp32, %9: fp32 = loop ^0 (%10: fp32 = %0, %11: fp32 = %0) initial(%0, %0) {
    %12: p0 = add %10, %0
    %13: p0 = mul %11, %0
    %14: pred = fgt %12, %0 under p0
    if %14 {
      break ^0 %12, %13
    } else {
      yield
    }
    continue ^0 %12, %13
  }
  out o0.x, %3
  out o0.y, %8
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
;   %2: fp32 = if %1 initial(%0) {
;     %3: p0 = add %0, %0
;     yield %3
;   } else {
;     yield %0
;   }
;   %4: fp32 = loop cost(1) ^0 (%5: fp32 = %0) initial(%0) {
;     %6: p0 = add %5, %0
;     %7: pred = fgt %6, %0 under p0
;     if %7 {
;       break ^0 %6
;     } else {
;       yield
;     }
;     continue ^0 %6
;   }
;   out o0.x, %2
;   out o0.y, %4
;   yield
; }
