; test run ieee
; Coordinates go to the lookup in binary32, texels come back under the slot.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  texture 0 d2
  texture 1 shadow_d2_array
  output 0 "OUT[0]" generic(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(1) half fx12 fp32 fp32
  output 2 "OUT[2]" generic(2) half half fp32 fp32
  slot p0 = fp32
  slot p1 = half
  slot p2 = fx12
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p1 = cvt %0
  %3: p2 = cvt %0
  %4: i32 = attr in1.x
  %5: p0, %6: p0, %7: p0, %8: p0 = tex implicit d2 unit(0) %0, %1, %0, %1
  %9: p1, %10: p1, %11: p1, %12: p1 = tex bias shadow_d2_array unit(1) %0, %1, %0, %1, %1, %0
  %13: p2, %14: p2, %15: p2, %16: p2 = tex level d2 unit(0) project offset(1, -1, 0) %2, %2, %2, %2
  %17: p0, %18: p0, %19: p0, %20: p0 = tex grad d2 unit(0) %3, %3, %3, %3, %3, %3, %3, %3, %3, %3
  %21: p0, %22: p0, %23: p0, %24: p0 = tex fetch d2 unit(0) %4, %4, %4, %4
  out o0.x, %5
  out o0.y, %6
  out o0.z, %7
  out o0.w, %8
  out o1.x, %9
  out o1.y, %13
  out o1.z, %17
  out o1.w, %21
  out o2.x, %11
  out o2.y, %12
  yield
}
; run: in0.x=[0.1, -1.5, 3, 70000] in0.y=0.3 in1.x=[0x3f800000, 0x40000000, 0x0, 0x7fc00000] == o0.x=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o0.y=0x1.333334p-2 o0.z=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o0.w=0x1.333334p-2 o1.x=[0x1.998p-4, -0x1.8p0, 0x1.8p1, inf] o1.y=[0x1.98p-4, -0x1.8p0, 0x1.ffcp0, 0x1.ffcp0] o1.z=[0x1.98p-4, -0x1.8p0, 0x1.ffcp0, 0x1.ffcp0] o1.w=[0x1p0, 0x1p1, 0x0p0, nan:0x7fc00000] o2.x=0x1.334p-2 o2.y=[0x1.998p-4, -0x1.8p0, 0x1.8p1, inf] o2.z=0x0p0 o2.w=0x0p0
; run nv-patent: in0.x=[0.1, -1.5, 3, 70000] in0.y=0.3 in1.x=[0x3f800000, 0x40000000, 0x0, 0x7fc00000] == o0.x=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o0.y=0x1.333334p-2 o0.z=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o0.w=0x1.333334p-2 o1.x=[0x1.998p-4, -0x1.8p0, 0x1.8p1, inf] o1.y=[0x1.98p-4, -0x1.8p0, 0x1.ffcp0, 0x1.ffcp0] o1.z=[0x1.98p-4, -0x1.8p0, 0x1.ffcp0, 0x1.ffcp0] o1.w=[0x1p0, 0x1p1, 0x0p0, nan:0x7fc00000] o2.x=0x1.334p-2 o2.y=[0x1.998p-4, -0x1.8p0, 0x1.8p1, inf] o2.z=0x0p0 o2.w=0x0p0
; run binary64: in0.x=[0.1, -1.5, 3, 70000] in0.y=0.3 in1.x=[0x3f800000, 0x40000000, 0x0, 0x7fc00000] == o0.x=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o0.y=0x1.333334p-2 o0.z=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o0.w=0x1.333334p-2 o1.x=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o1.y=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o1.z=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o1.w=[0x1p0, 0x1p1, 0x0p0, nan:0x7ff8000000000000] o2.x=0x1.333334p-2 o2.y=[0x1.99999ap-4, -0x1.8p0, 0x1.8p1, 0x1.117p16] o2.z=0x0p0 o2.w=0x0p0
