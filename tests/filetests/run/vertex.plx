; test run ieee
; A vertex shader: four vertices to a quad.
shader "t" stage(vertex) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" position fp32 fp32 - fp32
  output 1 "OUT[1]" generic(0) i32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = const c0[0].x
  %2: p0 = mul %0, %1
  %3: i32 = sys vertex_id
  out o0.x, %2
  out o0.y, %0
  out o0.w, %1
  out o1.x, %3
  yield
}
; run: in0.x=[1, 2, 3, 4, 5, 6, 7, 8] c0[0].x=0.1 vertex_id=[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7] == o0.x=[0x1.99999ap-4, 0x1.99999ap-3, 0x1.333334p-2, 0x1.99999ap-2, 0x1p-1, 0x1.333334p-1, 0x1.666666p-1, 0x1.99999ap-1] o0.y=[0x1p0, 0x1p1, 0x1.8p1, 0x1p2, 0x1.4p2, 0x1.8p2, 0x1.cp2, 0x1p3] o0.w=0x1.99999ap-4 o1.x=[0, 1, 2, 3, 4, 5, 6, 7]
