; test run ieee
; The value of the neighbour across, below, diagonal.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = quad.xor 1, %0
  %2: i32 = quad.xor 2, %0
  %3: i32 = quad.xor 3, %0
  out o0.x, %1
  out o0.y, %2
  out o0.z, %3
  yield
}
; run: in0.x=[0xa, 0xb, 0xc, 0xd, 0x1, 0x2, 0x3, 0x4] == o0.x=[11, 10, 13, 12, 2, 1, 4, 3] o0.y=[12, 13, 10, 11, 3, 4, 1, 2] o0.z=[13, 12, 11, 10, 4, 3, 2, 1] o0.w=0
