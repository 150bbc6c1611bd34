; test run ieee
; A loop that computes nothing still burns fuel, optimised too.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: pred = lit true
  %1: i32 = lit 7
  loop ^0 {
    continue ^0
  }
  out o0.x, %1
  yield
}
; run: fuel=0x5 == o0.x=7 o0.y=0 o0.z=0 o0.w=0 dry=1
