; test verify
; `break` and `continue` name a loop or block around them.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: pred = lit true
  block ^0 {
    yield
  }
  loop ^1 {
    if %0 {
      break ^0
    } else {
      continue ^1
    }
    break ^1
  }
  block ^2 {
    continue ^2
  }
  yield
}
; error[ir-target] `break` ^5: target ^1 does not enclose it
; error[ir-target] `continue` ^9: target ^8 is block
