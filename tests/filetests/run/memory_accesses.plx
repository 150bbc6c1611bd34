; test run ieee
; What a load or store is to the program changes nothing; an insertion keeps the bits where its mask has none, lane by lane.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  buffer 0 "BUFFER[0]"
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = attr in0.z
  %3: i32 = buffer.insert b0[%0], %1, %2
  %4: i32 = buffer.load.half b0[%0]
  %5: i32 = buffer.load.byte b0[%0]
  %6: i32 = buffer.load.atomic b0[%0]
  buffer.store.atomic b0[%0], %1
  out o0.x, %3
  out o0.y, %4
  out o0.z, %5
  out o0.w, %6
  yield
}
; run: in0.x=[0, 0x5, 0x4, 0x8] in0.y=[0xffff, 0x12345678, 0, 0x7] in0.z=[0xff00, 0xff, 0xff00, 0xffffffff] b0=[0x11223344, 0xaabbccdd] == o0.x=[0x11223344, 0xaabbccdd, 0xaabbcc78, 0] o0.y=[0x1122ff44, 0xaabb0078, 0xaabb0078, 0] o0.z=[0x1122ff44, 0xaabb0078, 0xaabb0078, 0] o0.w=[0x1122ff44, 0xaabb0078, 0xaabb0078, 0] b0=[0xffff, 0x0]
