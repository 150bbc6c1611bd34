; test lanes ieee
; A subgroup of two blocks: what its lanes exchange stops the turn, and the whole subgroup says whether a branch is jumped over that
; exchanges something.
shader "exchange" stage(compute) from("test") {
  workgroup 32 1 1
  subgroup 32
  buffer 0 "OUT"
  %0: i32 = sys local_x
  %1: i32 = lit 1
  %2: i32 = lit 2
  %3: i32 = shl %0, %2
  %4: i32 = ixor %0, %1
  %5: i32 = group.shuffle %3, %4
  %6: pred = ilt %5, %4
  %7: i32 = if %6 initial(%1) {
    %8: pred = ine %0, %1
    %9: i32 = group.ballot 0 %8
    yield %9
  } else {
    yield %5
  }
  buffer.store b0[%3], %7
  yield
}
; lanes "exchange" model("ieee")
; turns blocks
; subgroup 32
; body {
;   m0 = turn
;   v1 = system local_x
;   v3 = shl.i32 v1, 0x00000002
;   v5 = xor.i32 v1, 0x00000001
;   v6 = exchange.shuffle.i32 0 m0, v3, v5
;   m0 = turn
;   v7 = system local_x
;   v5 = xor.i32 v7, 0x00000001
;   m8 = lt.i32 v6, v5
;   v9 = move 0x00000001
;   m10 = and.mask m0, m8
;   m11 = without m0, m8
;   m12 = exchange.any 1 m10
;   m0 = turn
;   v1 = system local_x
;   v3 = shl.i32 v1, 0x00000002
;   v13 = xor.i32 v1, 0x00000001
;   m14 = lt.i32 v6, v13
;   m10 = and.mask m0, m14
;   jump.unless.any L0 m12
;   m15 = eq.i32 v1, 0x00000001
;   m16 = not.mask m15
;   v17 = exchange.ballot.0 2 m10, m16
;   m0 = turn
;   v18 = system local_x
;   v3 = shl.i32 v18, 0x00000002
;   v19 = system local_x
;   v20 = xor.i32 v19, 0x00000001
;   m21 = lt.i32 v6, v20
;   m10 = and.mask m0, m21
;   v9 = merge m10, v17, v9
; L0:
;   jump.unless.any L1 m11
;   v9 = merge m11, v6, v9
; L1:
;   op buffer.store(0) (i32 i32 -> ) stride 4 exact aligned m0, v3, v9
; }
