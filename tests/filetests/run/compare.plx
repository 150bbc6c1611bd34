; test run ieee
; Comparisons with NaN and zeros.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) pred pred pred pred
  output 1 "OUT[1]" generic(1) pred pred pred -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0 = attr in1.x
  %5: p0 = attr in1.y
  %6: p0 = attr in1.z
  %7: p0 = attr in1.w
  %8: pred = feq %0, %1 under p0
  %9: pred = fne %0, %1 under p0
  %10: pred = flt %0, %1 under p0
  %11: pred = fle %0, %1 under p0
  %12: pred = fgt %0, %1 under p0
  %13: pred = fge %0, %1 under p0
  %14: pred = funo %0, %1 under p0
  out o0.x, %8
  out o0.y, %9
  out o0.z, %10
  out o0.w, %11
  out o1.x, %12
  out o1.y, %13
  out o1.z, %14
  yield
}
; run: in0.x=[-0, 1, nan:0x7fc00001, inf] in0.y=[0, 2, 1, nan:0x7fc00001] == o0.x=[1, 0, 0, 0] o0.y=[0, 1, 1, 1] o0.z=[0, 1, 0, 0] o0.w=[1, 1, 0, 0] o1.x=0 o1.y=[1, 0, 0, 0] o1.z=[0, 0, 1, 1]
; run nv-patent: in0.x=[-0, 1, nan:0x7fc00001, inf] in0.y=[0, 2, 1, nan:0x7fc00001] == o0.x=[1, 0, 0, 1] o0.y=[0, 1, 1, 0] o0.z=[0, 1, 0, 0] o0.w=[1, 1, 0, 1] o1.x=[0, 0, 1, 0] o1.y=[1, 0, 1, 1] o1.z=0
