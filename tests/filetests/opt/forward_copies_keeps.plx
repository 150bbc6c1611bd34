; test opt forward_copies ieee
; A parameter that never changes in executing lanes may differ in others: kept where a neighbour reads it there.
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
    loop ^0 (%3: fp32 = %0) {
      %4: fp32 = quad.xor 1, %3
      out o0.x, %4
      %5: pred = fgt %4, %3 under p0
      if %5 {
        break ^0
      } else {
        yield
      }
      continue ^0 %3
    }
    yield
  } else {
    yield
  }
  yield
}
; unchanged
