; test run ieee
; Integer comparisons and predicates.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) pred pred pred pred
  output 1 "OUT[1]" generic(1) pred pred pred pred
  output 2 "OUT[2]" generic(2) pred pred - -
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: pred = ieq %0, %1
  %3: pred = ine %0, %1
  %4: pred = ilt %0, %1
  %5: pred = ile %0, %1
  %6: pred = ult %0, %1
  %7: pred = ule %0, %1
  %8: pred = pand %4, %6
  %9: pred = por %4, %6
  %10: pred = pxor %4, %6
  %11: pred = pnot %4
  out o0.x, %2
  out o0.y, %3
  out o0.z, %4
  out o0.w, %5
  out o1.x, %6
  out o1.y, %7
  out o1.z, %8
  out o1.w, %9
  out o2.x, %10
  out o2.y, %11
  yield
}
; run: in0.x=[0x1, 0xffffffff, 0x5, 0x80000000] in0.y=[0x2, 0x1, 0x5, 0x7fffffff] == o0.x=[0, 0, 1, 0] o0.y=[1, 1, 0, 1] o0.z=[1, 1, 0, 1] o0.w=1 o1.x=[1, 0, 0, 0] o1.y=[1, 0, 1, 0] o1.z=[1, 0, 0, 0] o1.w=[1, 1, 0, 1] o2.x=[0, 1, 0, 1] o2.y=[0, 0, 1, 0]
