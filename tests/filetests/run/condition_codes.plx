; test run ieee
; A condition code is less, equal, greater or unordered; each test reads it.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) cc pred pred pred
  output 1 "OUT[1]" generic(1) pred pred pred -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: cc = cc.of %0 under p0
  %2: pred = cc.test.eq %1
  %3: pred = cc.test.ne %1
  %4: pred = cc.test.lt %1
  %5: pred = cc.test.le %1
  %6: pred = cc.test.gt %1
  %7: pred = cc.test.ge %1
  out o0.x, %1
  out o0.y, %2
  out o0.z, %3
  out o0.w, %4
  out o1.x, %5
  out o1.y, %6
  out o1.z, %7
  yield
}
; run: in0.x=[-1, -0, 3, nan:0xffc00000] == o0.x=[0, 1, 2, 3] o0.y=[0, 1, 0, 0] o0.z=[1, 0, 1, 1] o0.w=[1, 0, 0, 0] o1.x=[1, 1, 0, 0] o1.y=[0, 0, 1, 0] o1.z=[0, 1, 1, 0]
; run nv-patent: in0.x=[-1, -0, 3, nan:0xffc00000] == o0.x=[0, 1, 2, 0] o0.y=[0, 1, 0, 0] o0.z=[1, 0, 1, 1] o0.w=[1, 0, 0, 1] o1.x=[1, 1, 0, 1] o1.y=[0, 0, 1, 0] o1.z=[0, 1, 1, 0]
