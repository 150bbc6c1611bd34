; test run ieee
; `discard` acts in executing lanes only.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = lit 0
  %2: p0 = lit 5
  %3: pred = flt %0, %1 under p0
  %4: pred = fgt %0, %2 under p0
  %5: pred = lit true
  if %4 {
    discard %3
    yield
  } else {
    yield
  }
  if %3 {
    discard %5
    yield
  } else {
    yield
  }
  out o0.x, %0
  yield
}
; run: in0.x=[1, -3, 10, 40] == o0.x=[0x1p0, _, 0x1.4p3, 0x1.4p5] o0.y=[0x0p0, _, 0x0p0, 0x0p0] o0.z=[0x0p0, _, 0x0p0, 0x0p0] o0.w=[0x0p0, _, 0x0p0, 0x0p0] covered=[1, 0, 1, 1]
