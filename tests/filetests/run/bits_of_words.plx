; test run ieee
; Funnel shifts, byte permutes with sign spread, three-input logic by a table.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: i32 = attr in0.z
  %3: i32 = attr in0.w
  %4: i32 = funnel.shl %0, %1, %2
  %5: i32 = funnel.shr %0, %1, %2
  %6: i32 = prmt %0, %1, %2
  %7: i32 = lop3 %0, %1, %2, %3
  out o0.x, %4
  out o0.y, %5
  out o0.z, %6
  out o0.w, %7
  yield
}
; run: in0.x=0x89abcdef in0.y=0x01234567 in0.z=[0, 8, 31, 40] in0.w=0x96 == o0.x=0x1234567 o0.y=0x89abcdef o0.z=0xefefefef o0.w=[0x88888888, 0xc9888888, 0xc9708888, 0xcaa88888]
; run: in0.x=0x443322f1 in0.y=0x88776655 in0.z=[0x3210, 0x7654, 0x0123, 0xf9e8] in0.w=0 == o0.x=[0x66554433, 0x65544332, 0x43bb32aa, 0x77665544] o0.y=[0x66554433, 0x76655443, 0xa886645e, 0x55443322] o0.z=[0x443322f1, 0x88776655, 0xf1223344, 0xff0000ff] o0.w=0
; run: in0.x=0xf0f0f0f0 in0.y=0xcccccccc in0.z=0xaaaaaaaa in0.w=[0xe8, 0x96, 0x1ca, 0xff] == o0.x=0x333333c3 o0.y=0x333c3c3c o0.z=0xffffffff o0.w=[0xe8e8e8e8, 0x96969696, 0xcacacaca, 0xffffffff]
