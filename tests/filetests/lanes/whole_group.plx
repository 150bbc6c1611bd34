; test lanes ieee
; A kernel for whole workgroups of two rows: no masks of lanes, and accesses of the workgroup's memory are known to be
; inside, but for the last load, whose last lane is one word behind it.
shader "whole_group" stage(compute) from("test") {
  workgroup 16 2 1
  buffer 0 "DATA"
  buffer 1 "SHARED" workgroup(32)
  %0: i32 = sys local_x
  %1: i32 = sys local_y
  %2: i32 = lit 2
  %3: i32 = lit 6
  %4: i32 = shl %0, %2
  %5: i32 = shl %1, %3
  %6: i32 = iadd %4, %5
  %7: i32 = buffer.load b0[%6]
  buffer.store b1[%6], %7
  barrier
  %8: i32 = buffer.load b1[%4]
  %9: i32 = iadd %7, %8
  %10: i32 = lit 64
  %11: i32 = lit 68
  %12: i32 = iadd %4, %10
  %13: i32 = iadd %4, %11
  %14: i32 = buffer.load b1[%12]
  %15: i32 = buffer.load b1[%13]
  %16: i32 = iadd %14, %15
  %17: i32 = iadd %9, %16
  buffer.store b0[%6], %17
  yield
}
; lanes "whole_group" model("ieee")
; kept 0 1
; turns blocks
; group 16 2 1 interleaved 2
; prologue {
;   m0 = const.mask.1
;   keep keptmask0 m0
; }
; body {
;   v1 = system local_x
;   v2 = system local_y
;   v4 = shl.i32 v1, 0x00000002
;   v6 = shl.i32 v2, 0x00000006
;   v7 = add.i32 v4, v6
;   v9 = op buffer.load(0) (i32 -> i32) stride 4 exact aligned all keptmask0, v7
;   op buffer.store(1) (i32 i32 -> ) stride 4 exact aligned inside all keptmask0, v7, v9
;   barrier 0 keptmask0
;   v10 = system local_x
;   v4 = shl.i32 v10, 0x00000002
;   v11 = system local_y
;   v12 = shl.i32 v11, 0x00000006
;   v7 = add.i32 v4, v12
;   v13 = op buffer.load(1) (i32 -> i32) stride 4 exact aligned inside all keptmask0, v4
;   v14 = add.i32 v9, v13
;   v15 = op buffer.load(1) (i32 -> i32) stride 4 exact offset 64 aligned inside all keptmask0, v4
;   v16 = op buffer.load(1) (i32 -> i32) stride 4 exact offset 68 aligned all keptmask0, v4
;   v17 = add.i32 v15, v16
;   v18 = add.i32 v14, v17
;   op buffer.store(0) (i32 i32 -> ) stride 4 exact aligned all keptmask0, v7, v18
; }
