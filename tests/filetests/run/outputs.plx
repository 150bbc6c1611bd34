; test run ieee
; Zero bits before a write, then the last write of an executing lane.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 -
  output 1 "OUT[1]" depth - - fp32 -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = lit 0
  %2: pred = fgt %0, %1 under p0
  if %2 {
    out o0.x, %0
    out o1.z, %0
    yield
  } else {
    yield
  }
  out o0.y, %1
  out o0.y, %0
  yield
}
; run: in0.x=[1, -2, 3, -0] == o0.x=[0x1p0, 0x0p0, 0x1.8p1, 0x0p0] o0.y=[0x1p0, -0x1p1, 0x1.8p1, -0x0p0] o0.z=0x0p0 o1.z=[0x1p0, 0x0p0, 0x1.8p1, 0x0p0]
