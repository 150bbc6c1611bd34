; test verify
; Results of branches, blocks and loops have initial operands of their types.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: i32 = lit 1
  %2: pred = lit true
  %3: fp32 = if %2 {
    yield %0
  } else {
    yield %0
  }
  %4: fp32, %5: i32 = block ^0 initial(%1, %0) {
    yield %0, %1
  }
  %6: i32 = loop ^1 (%7: i32 = %1) initial(%0) {
    break ^1 %7
  }
  yield
}
; error[ir-initial] `%3 = if`: initial operands are (), results (fp32)
; error[ir-initial] `%4 = block`: initial operands are (i32, fp32), results (fp32, i32)
; error[ir-initial] `%6 = loop`: initial operands are (fp32), results (i32)
