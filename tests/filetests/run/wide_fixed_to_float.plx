; test run volta
; A word of fixed point that holds more than its format is rounded once, in the direction of the rule (found at random).
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  attr 2 "IN[2]" generic(2) flat center
  bank 0 "CONST[0]" len(4)
  bank 1 "CONST[1]" len(1)
  texture 0 d2
  texture 1 shadow_d2_array
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(0) i32 half fx12 fp64
  output 2 "R0" watch pred cc i64 i16
  output 3 "R1" watch fp32 i32 half fx9
  buffer 0 "BUFFER[0]"
  buffer 1 "BUFFER[1]"
  slot p0 = fx12.sat
  slot p1 = fp32.rtz.ftz
  %0: i32 = attr in1.x
  %1: p0 = bits.to %0
  %2: p1 = cvt %1
  out o0.x, %2
  yield
}
; run: in1.x=[0x3f1662ff, 0x405db22e, 0x3fb5a9bf, 0xe04356d] covered=[0x1, 0x1, 0x1, 0x1] b0=[0x0, 0x0, 0x0, 0x0] b1=[0x0, 0x0, 0x0, 0x0] fuel=0xc == o0.x=[0x1.f8b316p19, 0x1.0176c8p20, 0x1.fdad4cp19, 0x1.c086acp17] o0.y=0x0p0 o0.z=0x0p0 o0.w=0x0p0 o1.x=0 o1.y=0x0p0 o1.z=0x0p0 o1.w=0x0p0 o2.x=0 o2.y=0 o2.z=0 o2.w=0 o3.x=0x0p0 o3.y=0 o3.z=0x0p0 o3.w=0x0p0 b0=[0x0, 0x0, 0x0, 0x0] b1=[0x0, 0x0, 0x0, 0x0]
