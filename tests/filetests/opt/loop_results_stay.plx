; test opt forward_copies ieee
; A lane that runs dry holds the initial operand: a result of a loop with back edges is a copy only of that.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  %3: fp32 = loop ^0 initial(%1) {
    if %2 {
      break ^0 %0
    } else {
      yield
    }
    continue ^0
  }
  out o0.x, %3
  yield
}
; unchanged
