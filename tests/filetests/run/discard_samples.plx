; test run ieee
; Single samples: a lane is discarded with the last of them. A sample that was not covered is no loss. A lane that shades one sample counts it as its first.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) fp32 i32 - -
  slot p0 = fp32
  %0: i32 = attr in0.x
  %1: i32 = attr in0.y
  %2: p0 = attr in0.z
  discard.samples %0
  %3: i32 = lit 0
  %4: pred = ine %1, %3
  if %4 {
    discard.samples %1
    yield
  } else {
    yield
  }
  %5: p0 = ddx.fine %2
  out o0.x, %5
  out o0.y, %0
  yield
}
; run: in0.x=[0x1, 0x3, 0x0, 0xf] in0.z=[1, 2, 4, 8] sample_mask=0xf sample_count=0x4 == o0.x=[0x1p0, 0x1p0, 0x1p2, _] o0.y=[1, 3, 0, _] covered=[1, 1, 1, 0] discarded=[1, 3, 0, 15]
; run: in0.x=[0x1, 0x3, 0x0, 0x4] in0.y=[0x2, 0xc, 0xf, 0x0] in0.z=[1, 2, 4, 8] sample_mask=0xf sample_count=0x4 == o0.x=[0x1p0, _, _, 0x1p2] o0.y=[1, _, _, 4] covered=[1, 0, 0, 1] discarded=[3, 15, 15, 4]
; run: in0.x=[0x1, 0x2, 0x1, 0x1] in0.y=[0x0, 0x0, 0x4, 0x0] sample_mask=[0x1, 0x1, 0x6, 0x0] == o0.x=[_, 0x0p0, 0x0p0, 0x0p0] o0.y=[_, 2, 1, 1] covered=[0, 1, 1, 1] discarded=[1, 2, 5, 1]
; run: in0.x=[0x1, 0x2, 0x4, 0x0] sample_mask=0x4 sample_shading=0xffffffff sample_id=0x2 == o0.x=[_, 0x0p0, 0x0p0, 0x0p0] o0.y=[_, 2, 4, 0] covered=[0, 1, 1, 1] discarded=[1, 2, 4, 0]
