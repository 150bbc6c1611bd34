; test opt merge_equal ieee
; Equal ops along the region tree; origins unite; operand order counts where both may be NaN.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  source @0 line(1) offset(0) "one"
  source @1 line(2) offset(4) "two"
  %0: p0 = attr in0.x @0
  %1: p0 = attr in0.x @1
  %2: p0 = attr in0.y
  %3: p0 = add %0, %2
  %4: p0 = add %1, %2
  %5: p0 = add %2, %0
  %6: pred = feq %3, %5 under p0
  %7: pred = feq %5, %4 under p0
  %8: fp32 = if %6 initial(%0) {
    %9: p0 = add %0, %2
    %10: p0 = sqrt %9
    yield %10
  } else {
    %11: p0 = add %1, %2
    %12: p0 = sqrt %11
    yield %12
  }
  %13: p0 = sqrt %3
  out o0.x, %8
  out o0.y, %13
  if %7 {
    out o0.z, %5
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
;   source @0 line(1) offset(0) "one"
;   source @1 line(2) offset(4) "two"
;   %0: p0 = attr in0.x @0 @1
;   %1: p0 = attr in0.y
;   %2: p0 = add %0, %1
;   %3: p0 = add %1, %0
;   %4: pred = feq %2, %3 under p0
;   %5: fp32 = if %4 initial(%0) {
;     %6: p0 = sqrt %2
;     yield %6
;   } else {
;     %7: p0 = sqrt %2
;     yield %7
;   }
;   %8: p0 = sqrt %2
;   out o0.x, %5
;   out o0.y, %8
;   if %4 {
;     out o0.z, %3
;     yield
;   } else {
;     yield
;   }
;   yield
; }
