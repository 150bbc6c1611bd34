; test opt hoist_uniform ieee
; What does not change from iteration to iteration, out of nested loops too; costly ops stay in branches.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: fp32 = loop ^0 (%2: fp32 = %0) initial(%0) {
    %3: p0 = lit 0.5
    %4: p0 = const c0[0].x
    %5: p0 = mul %4, %3
    %6: p0 = add %2, %5
    %7: fp32 = loop ^1 (%8: fp32 = %6) initial(%0) {
      %9: p0 = sqrt %5
      %10: p0 = sqrt %6
      %11: p0 = add %8, %9
      %12: p0 = add %11, %10
      %13: pred = fgt %12, %0 under p0
      if %13 {
        %14: p0 = rcp %5
        %15: p0 = add %5, %5
        %16: p0 = add %14, %15
        break ^1 %16
      } else {
        yield
      }
      continue ^1 %12
    }
    %17: pred = fgt %7, %6 under p0
    if %17 {
      break ^0 %7
    } else {
      yield
    }
    continue ^0 %7
  }
  out o0.x, %1
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
;   %1: p0 = lit 0x3f000000
;   %2: p0 = const c0[0].x
;   %3: p0 = mul %2, %1
;   %4: p0 = sqrt %3
;   %5: p0 = add %3, %3
;   %6: fp32 = loop ^0 (%7: fp32 = %0) initial(%0) {
;     %8: p0 = add %7, %3
;     %9: p0 = sqrt %8
;     %10: fp32 = loop ^1 (%11: fp32 = %8) initial(%0) {
;       %12: p0 = add %11, %4
;       %13: p0 = add %12, %9
;       %14: pred = fgt %13, %0 under p0
;       if %14 {
;         %15: p0 = rcp %3
;         %16: p0 = add %15, %5
;         break ^1 %16
;       } else {
;         yield
;       }
;       continue ^1 %13
;     }
;     %17: pred = fgt %10, %8 under p0
;     if %17 {
;       break ^0 %10
;     } else {
;       yield
;     }
;     continue ^0 %10
;   }
;   out o0.x, %6
;   yield
; }
