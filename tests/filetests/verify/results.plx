; test verify
; An op has the results its row says.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: i32 = add %0, %0 under p0
  %2: p0, %3: p0 = add %0, %0
  add %0, %0 under p0
  %4: fp32 = fgt %0, %0 under p0
  %5: pred = sys quad_lane
  %6: pred = const c0[0].x
  yield
}
; error[ir-results] `%1 = add`: result 0 is i32, expected fp32
; error[ir-results] `%2 = add`: expected 1 results, found 2
; error[ir-results] `add` ^3: expected 1 results, found 0
; error[ir-results] `%4 = fgt`: result 0 is fp32, expected pred
; error[ir-results] `%5 = sys`: result 0 is pred, expected i32
; error[ir-results] `%6 = const`: result 0 is pred, expected a float or i32
