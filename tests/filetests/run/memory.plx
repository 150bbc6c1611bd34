; test run ieee
; Buffers: stores and loads in order, out of range, sizes, lanes that are not covered.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  buffer 0 "BUFFER[0]"
  buffer 1 "BUFFER[1]"
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = buffer.load b0[%0]
  buffer.store b0[%0], %1
  %3: i32 = buffer.load b0[%0]
  %4: i32 = buffer.size b1
  %5: i32 = lit 4
  %6: i32 = buffer.load b1[%5]
  %7: pred = ieq %1, %5
  if %7 {
    buffer.store b1[%5], %0
    yield
  } else {
    yield
  }
  %8: i32 = buffer.load b1[%5]
  out o0.x, %2
  out o0.y, %3
  out o0.z, %8
  out o0.w, %4
  yield
}
; run: in0.x=[0, 0x4, 0x8, 0xc] in0.y=[0xa, 0xb, 0xc, 0x4] b0=[0x1, 0x2, 0x3] b1=[0x7, 0x8] == o0.x=[1, 2, 3, 0] o0.y=[10, 11, 12, 0] o0.z=12 o0.w=8 b0=[0xa, 0xb, 0xc] b1=[0x7, 0xc]
; run: in0.x=[0, 0x4, 0x8, 0xc, 0, 0x6, 0x8, 0xc] in0.y=[0xa, 0x4, 0xc, 0xd, 0xe, 0xf, 0x4, 0x10] covered=[1, 0, 1, 1, 1, 1, 1, 0] b0=[0x1, 0x2, 0x3, 0x4] b1=[0x7, 0x8] == o0.x=[1, _, 3, 4, 10, 2, 12, _] o0.y=[10, _, 12, 13, 14, 15, 4, _] o0.z=[8, _, 8, 8, 8, 8, 8, _] o0.w=[8, _, 8, 8, 8, 8, 8, _] b0=[0xe, 0xf, 0x4, 0xd] b1=[0x7, 0x8]
