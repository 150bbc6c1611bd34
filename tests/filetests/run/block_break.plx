; test run ieee
; Leaving a block early, from a nested branch, from the middle of two.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) i32 i32 i32 i32
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = lit 2
  %4: i32 = block ^0 initial(%1) {
    %5: i32 = block ^1 initial(%1) {
      %6: pred = ieq %0, %1
      if %6 {
        break ^0 %1
      } else {
        %7: pred = ieq %0, %2
        if %7 {
          break ^1 %2
        } else {
          yield
        }
        yield
      }
      out o0.y, %0
      yield %3
    }
    %8: i32 = iadd %5, %5
    yield %8
  }
  out o0.x, %4
  yield
}
; run: in0.x=[0x0, 0x1, 0x2, 0x3] == o0.x=[0, 2, 4, 4] o0.y=[0, 0, 2, 3] o0.z=0 o0.w=0
