; test parse
; Spellings of literals, and how they are printed.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  slot p1 = half
  slot p2 = fx12
  slot p3 = fp64
  %0: p0 = lit 0.1
  %1: p0 = lit 1
  %2: p0 = lit -2.5e3
  %3: p0 = lit 0x3f800000
  %4: p0 = lit nan:0x7f800001
  %5: p0 = lit -inf
  %6: p1 = lit 0.5
  %7: p1 = lit 0x7e01
  %8: p2 = lit -2
  %9: p2 = lit 0x1p-10
  %10: p3 = lit 0.1
  %11: i32 = lit 0xffffffff
  %12: i32 = lit 0x10
  %13: i64 = lit 0xffffffffffffffff
  %14: i16 = lit 65535
  %15: pred = lit true
  %16: cc = lit unordered
  yield
}
; shader "t" stage(fragment) from("test") {
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   slot p1 = half
;   slot p2 = fx12
;   slot p3 = fp64
;   %0: p0 = lit 0x1.99999ap-4
;   %1: p0 = lit 0x1p0
;   %2: p0 = lit -0x1.388p11
;   %3: p0 = lit 0x1p0
;   %4: p0 = lit nan:0x7f800001
;   %5: p0 = lit -inf
;   %6: p1 = lit 0x1p-1
;   %7: p1 = lit nan:0x7e01
;   %8: p2 = lit -0x1p1
;   %9: p2 = lit 0x1p-10
;   %10: p3 = lit 0x1.999999999999ap-4
;   %11: i32 = lit 0xffffffff
;   %12: i32 = lit 16
;   %13: i64 = lit 0xffffffffffffffff
;   %14: i16 = lit 65535
;   %15: pred = lit true
;   %16: cc = lit unordered
;   yield
; }
