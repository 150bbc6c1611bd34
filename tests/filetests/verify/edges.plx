; test verify
; Ways out pass what the results ask for, back edges what the parameters do.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: i32 = lit 1
  %2: pred = lit true
  %3: fp32 = if %2 initial(%0) {
    yield %1
  } else {
    yield
  }
  %4: fp32, %5: i32 = loop ^0 (%6: i32 = %1, %7: fp32 = %0) initial(%0, %1) {
    if %2 {
      continue ^0 %7, %6
    } else {
      yield %0
    }
    break ^0 %0
  }
  yield
}
; error[ir-edge] `yield` ^4: passes (i32), the results at its target are (fp32)
; error[ir-edge] `yield` ^5: passes (), the results at its target are (fp32)
; error[ir-edge] `continue` ^8: passes (fp32, i32), the parameters at its target are (i32, fp32)
; error[ir-edge] `yield` ^9: passes (fp32), the results at its target are ()
; error[ir-edge] `break` ^10: passes (fp32), the results at its target are (fp32, i32)
