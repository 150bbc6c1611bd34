; test opt merge_equal ieee
; A vote asks the executing lanes: not merged where lanes may have left, nor into a branch.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  %3: pred = fgt %1, %0 under p0
  %4: pred = quad.any %2
  %5: pred = quad.any %2
  %6: i32 = lit 1
  %7: i32 = lit 2
  block ^0 {
    if %3 {
      break ^0
    } else {
      yield
    }
    %8: pred = quad.any %2
    %9: i32 = select %8, %6, %7
    out o0.x, %9
    yield
  }
  %10: i32 = select %4, %6, %7
  %11: i32 = select %5, %6, %7
  out o0.y, %10
  out o0.z, %11
  yield
}
; shader "t" stage(fragment) from("test") {
;   bind "ieee"
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) i32 i32 i32 i32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: p0 = attr in0.y
;   %2: pred = fgt %0, %1 under p0
;   %3: pred = fgt %1, %0 under p0
;   %4: pred = quad.any %2
;   %5: i32 = lit 1
;   %6: i32 = lit 2
;   block ^0 {
;     if %3 {
;       break ^0
;     } else {
;       yield
;     }
;     %7: pred = quad.any %2
;     %8: i32 = select %7, %5, %6
;     out o0.x, %8
;     yield
;   }
;   %9: i32 = select %4, %5, %6
;   out o0.y, %9
;   out o0.z, %9
;   yield
; }
