; test run ieee
; System values; the helper flag and the lane number come from coverage and place.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) i32 i32 i32 i32
  output 1 "OUT[1]" generic(1) i32 i32 i32 i32
  output 2 "OUT[2]" generic(2) i32 i32 - -
  slot p0 = fp32
  %0: i32 = sys vertex_id
  %1: i32 = sys instance_id
  %2: i32 = sys primitive_id
  %3: i32 = sys front_facing
  %4: i32 = sys sample_id
  %5: i32 = sys sample_mask
  %6: i32 = sys sample_count
  %7: i32 = sys helper_lane
  %8: i32 = sys quad_lane
  %9: i32 = sys sample_shading
  out o0.x, %0
  out o0.y, %1
  out o0.z, %2
  out o0.w, %3
  out o1.x, %4
  out o1.y, %5
  out o1.z, %6
  out o1.w, %7
  out o2.x, %8
  out o2.y, %9
  yield
}
; run: vertex_id=[0x4, 0x5, 0x6, 0x7] instance_id=0x2 primitive_id=0x9 front_facing=0xffffffff sample_mask=0xf sample_count=0x4 == o0.x=[4, 5, 6, 7] o0.y=2 o0.z=9 o0.w=0xffffffff o1.x=0 o1.y=15 o1.z=4 o1.w=0 o2.x=[0, 1, 2, 3] o2.y=0
; run: covered=[0x1, 0x0, 0x0, 0x1] sample_id=0x3 sample_shading=0xffffffff == o0.x=[0, _, _, 0] o0.y=[0, _, _, 0] o0.z=[0, _, _, 0] o0.w=[0, _, _, 0] o1.x=[3, _, _, 3] o1.y=[0, _, _, 0] o1.z=[0, _, _, 0] o1.w=[0, _, _, 0] o2.x=[0, _, _, 3] o2.y=[0xffffffff, _, _, 0xffffffff]
