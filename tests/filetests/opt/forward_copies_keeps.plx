; test opt forward_copies ieee
; Where a neighbour reads a result in lanes that do not execute, only one that is its initial operand too is a copy. A
; parameter that never changes is a copy everywhere.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  if %2 {
    %3: fp32 = block ^0 initial(%0) {
      yield %1
    }
    %4: fp32 = quad.xor 1, %3
    out o0.x, %4
    %5: fp32 = block ^1 initial(%1) {
      yield %1
    }
    %6: fp32 = quad.xor 1, %5
    out o0.y, %6
    loop ^2 (%7: fp32 = %0) {
      %8: fp32 = quad.xor 1, %7
      out o0.z, %8
      %9: pred = fgt %8, %7 under p0
      if %9 {
        break ^2
      } else {
        yield
      }
      continue ^2 %7
    }
    yield
  } else {
    yield
  }
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
;   if %2 {
;     %3: fp32 = block ^0 initial(%0) {
;       yield %1
;     }
;     %4: fp32 = quad.xor 1, %3
;     out o0.x, %4
;     %5: fp32 = block ^1 initial(%1) {
;       yield %1
;     }
;     %6: fp32 = quad.xor 1, %1
;     out o0.y, %6
;     loop ^2 (%7: fp32 = %0) {
;       %8: fp32 = quad.xor 1, %0
;       out o0.z, %8
;       %9: pred = fgt %8, %0 under p0
;       if %9 {
;         break ^2
;       } else {
;         yield
;       }
;       continue ^2 %0
;     }
;     yield
;   } else {
;     yield
;   }
;   yield
; }
