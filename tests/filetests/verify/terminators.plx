; test verify
; The last op of a region is a terminator, and no other.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: pred = lit true
  if %0 {
    yield
    yield
  } else {
    %1: pred = lit false
  }
  block ^0 {
  }
  loop ^1 {
    yield
  }
  yield
}
; error[ir-terminator] `yield` ^2: stands before the end of a region
; error[ir-terminator] `%1 = lit`: ends a region, but is no terminator
; error[ir-terminator] `block` ^5: region3 is empty; expected a terminator
; error[ir-yield] `yield` ^7: a loop's body ends in `break` or `continue`, not in `yield`
