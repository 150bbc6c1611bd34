; test parse
; Every meaning of an output.
shader "roles" stage(vertex) from("") {
  output 0 "a" position fp32 fp32 fp32 fp32
  output 1 "b" front_color(1) fp32 - - -
  output 2 "c" fog fp32 - - -
  output 3 "d" texcoord(7) fp32 - - -
  output 4 "e" generic(31) fp32 - - -
  output 5 "f" fixed_function(6) fp32 - - -
  output 6 "g" color(3) fp32 - - -
  output 7 "h" depth - - fp32 -
  output 8 "i" sample_depth(1) - - fp32 -
  output 9 "j" sample_mask i32 - - -
  output 10 "k" stencil - i32 - -
  output 11 "l" watch fp32 - - -
  output 12 "m" point_size fp32 - - -
  output 13 "n" clip_distance(4) fp32 fp32 - -
  yield
}
; unchanged
