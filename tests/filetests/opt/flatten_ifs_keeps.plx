; test opt flatten_ifs ieee
; Costly arms, arms with effects, and results a neighbour reads in lanes that do not execute.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  %3: pred = fgt %1, %0 under p0
  %4: fp32 = if %2 initial(%0) {
    %5: p0 = sin %0
    %6: p0 = cos %5
    %7: p0 = exp2 %6
    %8: p0 = log2 %7
    yield %8
  } else {
    yield %0
  }
  if %3 {
    out o0.y, %0
    yield
  } else {
    yield
  }
  if %2 {
    %9: fp32 = if %3 initial(%0) {
      yield %0
    } else {
      yield %1
    }
    %10: p0 = ddx.fine %9
    out o0.z, %10
    yield
  } else {
    yield
  }
  out o0.x, %4
  yield
}
; unchanged
