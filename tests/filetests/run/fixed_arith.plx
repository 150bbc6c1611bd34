; test run ieee
; The same ops in s12 fixed point.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fx12 fx12 fx12 fx12
  output 1 "OUT[1]" generic(1) fx12 fx12 fx12 fx12
  output 2 "OUT[2]" generic(2) fx12 fx12 fx12 fx12
  output 3 "OUT[3]" generic(3) fx12 - - -
  slot p0 = fx12
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0 = attr in1.x
  %5: p0 = attr in1.y
  %6: p0 = attr in1.z
  %7: p0 = attr in1.w
  %8: p0 = add %0, %1
  %9: p0 = sub %0, %1
  %10: p0 = mul %0, %1
  %11: p0 = fma %0, %1, %2
  %12: p0 = mad %0, %1, %2
  %13: p0 = dot2 %0, %1, %2, %3
  %14: p0 = dot3 %0, %1, %2, %3, %4, %5
  %15: p0 = dot4 %0, %1, %2, %3, %4, %5, %6, %7
  %16: p0 = dph %0, %1, %2, %3, %4, %5, %6
  %17: p0 = dp2a %0, %1, %2, %3, %4
  %18: p0 = lrp %0, %1, %2
  %19: p0 = dst %0, %1
  %20: p0 = lit.y %0
  out o0.x, %8
  out o0.y, %9
  out o0.z, %10
  out o0.w, %11
  out o1.x, %12
  out o1.y, %13
  out o1.z, %14
  out o1.w, %15
  out o2.x, %16
  out o2.y, %17
  out o2.z, %18
  out o2.w, %19
  out o3.x, %20
  yield
}
; run: in0.x=[1.5, -2, 0.1, 1.9] in0.y=[0.7, 1.5, 0.001, 1.9] in0.z=[-0.07, 0.5, -2, 1] in0.w=0.25 in1.x=[3, -3, 1, inf] in1.y=0.3 in1.z=-1.25 in1.w=1 == o0.x=[0x1.ffcp0, -0x1p-1, 0x1.9cp-4, 0x1.ffcp0] o0.y=[0x1.998p-1, -0x1p1, 0x1.94p-4, 0x0p0] o0.z=[0x1.0dp0, -0x1p1, 0x0p0, 0x1.ffcp0] o0.w=[0x1.f6p-1, -0x1p1, -0x1p1, 0x1.ffcp0] o1.x=[0x1.f6p-1, -0x1p1, -0x1p1, 0x1.ffcp0] o1.y=[0x1.1cp-4, -0x1.4p-1, -0x1.98p-3, 0x1.ffcp0] o1.z=[0x1.c1p0, -0x1p1, -0x1.26p-1, 0x1.ffcp0] o1.w=0x1.ffcp0 o2.x=[0x1.02p-1, -0x1p1, -0x1.d3p0, 0x1.ffcp0] o2.y=[0x1.ffcp0, -0x1p1, 0x1.9ap-1, 0x1.ffcp0] o2.z=[0x1.16p0, -0x1.8p0, -0x1.cdp0, 0x1.ffcp0] o2.w=[0x1.0dp0, -0x1p1, 0x0p0, 0x1.ffcp0] o3.x=[0x1.8p0, 0x0p0, 0x1.98p-4, 0x1.e68p0]
; run nv-patent: in0.x=[1.5, -2, 0.1, 1.9] in0.y=[0.7, 1.5, 0.001, 1.9] in0.z=[-0.07, 0.5, -2, 1] in0.w=0.25 in1.x=[3, -3, 1, inf] in1.y=0.3 in1.z=-1.25 in1.w=1 == o0.x=[0x1.ffcp0, -0x1p-1, 0x1.9cp-4, 0x1.ffcp0] o0.y=[0x1.998p-1, -0x1p1, 0x1.94p-4, 0x0p0] o0.z=[0x1.0dp0, -0x1p1, 0x0p0, 0x1.ffcp0] o0.w=[0x1.f6p-1, -0x1p1, -0x1p1, 0x1.ffcp0] o1.x=[0x1.f6p-1, -0x1p1, -0x1p1, 0x1.ffcp0] o1.y=[0x1.1cp-4, -0x1.4p-1, -0x1.98p-3, 0x1.ffcp0] o1.z=[0x1.c1p0, -0x1p1, -0x1.26p-1, 0x1.ffcp0] o1.w=0x1.ffcp0 o2.x=[0x1.02p-1, -0x1p1, -0x1.d3p0, 0x1.ffcp0] o2.y=[0x1.ffcp0, -0x1p1, 0x1.9ap-1, 0x1.ffcp0] o2.z=[0x1.16p0, -0x1.8p0, -0x1.cdp0, 0x1.ffcp0] o2.w=[0x1.0dp0, -0x1p1, 0x0p0, 0x1.ffcp0] o3.x=[0x1.8p0, 0x0p0, 0x1.98p-4, 0x1.e68p0]
; run nvfp: in0.x=[1.5, -2, 0.1, 1.9] in0.y=[0.7, 1.5, 0.001, 1.9] in0.z=[-0.07, 0.5, -2, 1] in0.w=0.25 in1.x=[3, -3, 1, inf] in1.y=0.3 in1.z=-1.25 in1.w=1 == o0.x=[0x1.ffcp0, -0x1p-1, 0x1.9cp-4, 0x1.ffcp0] o0.y=[0x1.998p-1, -0x1p1, 0x1.94p-4, 0x0p0] o0.z=[0x1.0dp0, -0x1p1, 0x0p0, 0x1.ffcp0] o0.w=[0x1.f6p-1, -0x1p1, -0x1p1, 0x1.ffcp0] o1.x=[0x1.f6p-1, -0x1p1, -0x1p1, 0x1.ffcp0] o1.y=[0x1.1cp-4, -0x1.4p-1, -0x1.98p-3, 0x1.ffcp0] o1.z=[0x1.c1p0, -0x1p1, -0x1.26p-1, 0x1.ffcp0] o1.w=0x1.ffcp0 o2.x=[0x1.02p-1, -0x1p1, -0x1.d3p0, 0x1.ffcp0] o2.y=[0x1.ffcp0, -0x1p1, 0x1.9ap-1, 0x1.ffcp0] o2.z=[0x1.16p0, -0x1.8p0, -0x1.cdp0, 0x1.ffcp0] o2.w=[0x1.0dp0, -0x1p1, 0x0p0, 0x1.ffcp0] o3.x=[0x1.8p0, 0x0p0, 0x1.98p-4, 0x1.e68p0]
