; test run ieee
; Constants by number and by a lane's index; outside of the bank they are zero.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 fp32 i32 fp32
  slot p0 = fp32
  %0: p0 = const c0[1].y
  %1: i32 = attr in0.x
  %2: p0 = const.at c0[%1 + 1].x
  %3: i32 = const.at c0[%1 - 1].w
  %4: p0 = const c0[77].x
  out o0.x, %0
  out o0.y, %2
  out o0.z, %3
  out o0.w, %4
  yield
}
; run: c0[1].y=7 c0[0].x=10 c0[1].x=11 c0[2].x=12 c0[3].x=13 c0[0].w=0x5 c0[2].w=0xff000000 in0.x=[0x0, 0x1, 0x3, 0xffffffff] == o0.x=0x1.cp2 o0.y=[0x1.6p3, 0x1.8p3, 0x0p0, 0x1.4p3] o0.z=[0, 5, 0xff000000, 0] o0.w=0x0p0
