; test opt drop_dead ieee
; What computes an initial operand goes where no lane that holds it is seen: not where a neighbour reads the result, nor
; where lanes may run out of fuel.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  %3: p0 = sin %0
  %4: fp32 = if %2 initial(%3) {
    yield %0
  } else {
    yield %1
  }
  out o0.x, %4
  if %2 {
    %5: p0 = cos %0
    %6: fp32 = if %2 initial(%5) {
      yield %0
    } else {
      yield %1
    }
    %7: fp32 = quad.xor 1, %6
    out o0.y, %7
    yield
  } else {
    yield
  }
  %8: p0 = exp2 %0
  %9: fp32 = loop ^0 initial(%8) {
    if %2 {
      break ^0 %0
    } else {
      yield
    }
    continue ^0
  }
  out o0.z, %9
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = lit 0x0
;   %1: p0 = attr in0.x
;   %2: p0 = attr in0.y
;   %3: pred = fgt %1, %2 under p0
;   %4: fp32 = if %3 initial(%0) {
;     yield %1
;   } else {
;     yield %2
;   }
;   out o0.x, %4
;   if %3 {
;     %5: p0 = cos %1
;     %6: fp32 = if %3 initial(%5) {
;       yield %1
;     } else {
;       yield %2
;     }
;     %7: fp32 = quad.xor 1, %6
;     out o0.y, %7
;     yield
;   } else {
;     yield
;   }
;   %8: p0 = exp2 %1
;   %9: fp32 = loop ^0 initial(%8) {
;     if %3 {
;       break ^0 %1
;     } else {
;       yield
;     }
;     continue ^0
;   }
;   out o0.z, %9
;   yield
; }
