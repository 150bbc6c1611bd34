; test run tgsi-mul-zero-wins
; Of two NaN the first one, also where one factor is the same in all lanes; a zero wins over both.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = const c0[0].x
  %3: p0 = mul %0, %2
  %4: p0 = mul %2, %1
  %5: p0 = mul %1, %0
  %6: i32 = bits.of %3 under p0
  %7: i32 = bits.of %4 under p0
  %8: i32 = bits.of %5 under p0
  out o0.x, %6
  out o0.y, %7
  out o0.z, %8
  yield
}
; run: in0.x=[0x7fc00002, 0xffc00003, 0x0, 0x40000000] in0.y=[0x7fc00004, 0xffc00005, 0x80000000, 0x7fc00006] c0[0].x=0x7fc00001 == o0.x=[0x7fc00002, 0xffc00003, 0, 0x7fc00001] o0.y=[0x7fc00001, 0x7fc00001, 0, 0x7fc00001] o0.z=[0x7fc00004, 0xffc00005, 0, 0x7fc00006] o0.w=0
