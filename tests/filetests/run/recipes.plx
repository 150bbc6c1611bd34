; test run ieee
; Operations evaluated by a recipe.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" generic(0) fp32 fp32 fp32 fp32
  output 1 "OUT[1]" generic(1) fp32 fp32 fp32 fp32
  output 2 "OUT[2]" generic(2) fp32 fp32 fp32 fp32
  output 3 "OUT[3]" generic(3) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = attr in0.z
  %3: p0 = attr in0.w
  %4: p0 = attr in1.x
  %5: p0 = attr in1.y
  %6: p0 = attr in1.z
  %7: p0 = attr in1.w
  %8: p0 = div %0, %1
  %9: p0 = rcp %0
  %10: p0 = rsq %0
  %11: p0 = sqrt %0
  %12: p0 = exp2 %0
  %13: p0 = log2 %0
  %14: p0 = exp2.part %0
  %15: p0 = log2.part %0
  %16: p0 = sin %0
  %17: p0 = cos %0
  %18: p0 = pow %0, %1
  %19: p0 = lit.z %0, %1, %2
  %20: p0 = nrm %0, %1, %2, %3
  out o0.x, %8
  out o0.y, %9
  out o0.z, %10
  out o0.w, %11
  out o1.x, %12
  out o1.y, %13
  out o1.z, %14
  out o1.w, %15
  out o2.x, %16
  out o2.y, %17
  out o2.z, %18
  out o2.w, %19
  out o3.x, %20
  yield
}
; run: in0.x=[2, -0, 0.3, 1000] in0.y=[3, 0, 1.5, -1] in0.z=[0.5, 1, 2, 0] in0.w=[1, 4, 0.1, 2] == o0.x=[0x1.555556p-1, nan:0xffc00000, 0x1.99999ap-3, -0x1.f4p9] o0.y=[0x1p-1, -inf, 0x1.aaaaaap1, 0x1.0624dep-10] o0.z=[0x1.6a09e6p-1, -inf, 0x1.d363dp0, 0x1.030dc4p-5] o0.w=[0x1.6a09e6p0, -0x0p0, 0x1.186f18p-1, 0x1.f9f6e4p4] o1.x=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.y=[0x1p0, -inf, -0x1.bca9c6p0, 0x1.3ee7b4p3] o1.z=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.w=[0x1p0, -inf, -0x1.bca9c6p0, 0x1.3ee7b4p3] o2.x=[0x1.d18f6ep-1, -0x0p0, 0x1.2e9cdap-2, 0x1.a75cc2p-1] o2.y=[-0x1.aa2266p-2, 0x1p0, 0x1.e921dep-1, 0x1.1ff026p-1] o2.z=[0x1p3, 0x1p0, 0x1.50855p-3, 0x1.0624dep-10] o2.w=[0x1.bb67aep0, 0x0p0, 0x1.2p1, 0x1p0] o3.x=[0x1.3fd808p-1, -0x0p0, 0x1.eb2094p-4, 0x1.bf36aep8]
; run nv-patent: in0.x=[2, -0, 0.3, 1000] in0.y=[3, 0, 1.5, -1] in0.z=[0.5, 1, 2, 0] in0.w=[1, 4, 0.1, 2] == o0.x=[0x1.555556p-1, nan:0xffc00000, 0x1.99999ap-3, -0x1.f4p9] o0.y=[0x1p-1, -inf, 0x1.aaaaaap1, 0x1.0624dep-10] o0.z=[0x1.6a09e6p-1, inf, 0x1.d363dp0, 0x1.030dc4p-5] o0.w=[0x1.6a09e6p0, -0x0p0, 0x1.186f18p-1, 0x1.f9f6e4p4] o1.x=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.y=[0x1p0, -inf, -0x1.bca9c6p0, 0x1.3ee7b4p3] o1.z=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.w=[0x1p0, -inf, -0x1.bca9c6p0, 0x1.3ee7b4p3] o2.x=[0x1.d18f6ep-1, -0x0p0, 0x1.2e9cdap-2, 0x1.a75cc2p-1] o2.y=[-0x1.aa2266p-2, 0x1p0, 0x1.e921dep-1, 0x1.1ff026p-1] o2.z=[0x1p3, 0x1p0, 0x1.508552p-3, 0x1.0624ep-10] o2.w=[0x1.bb67aep0, 0x0p0, 0x1.2p1, 0x1p0] o3.x=[0x1.3fd808p-1, 0x0p0, 0x1.eb2094p-4, 0x1.bf36aep8]
; run maxwell: in0.x=[2, -0, 0.3, 1000] in0.y=[3, 0, 1.5, -1] in0.z=[0.5, 1, 2, 0] in0.w=[1, 4, 0.1, 2] == o0.x=[0x1.555556p-1, nan:0x7fffffff, 0x1.99999cp-3, -0x1.f4p9] o0.y=[0x1p-1, -inf, 0x1.aaaaaap1, 0x1.0624dep-10] o0.z=[0x1.6a09e4p-1, -inf, 0x1.d363dp0, 0x1.030dc4p-5] o0.w=[0x1.6a09e8p0, -0x0p0, 0x1.186f18p-1, 0x1.f9f6e6p4] o1.x=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.y=[0x1p0, -inf, -0x1.bca9c4p0, 0x1.3ee7b4p3] o1.z=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.w=[0x1p0, -inf, -0x1.bca9c4p0, 0x1.3ee7b4p3] o2.x=[0x1.d18f6cp-1, -0x0p0, 0x1.2e9cdap-2, 0x1.a759c8p-1] o2.y=[-0x1.aa226p-2, 0x1p0, 0x1.e921dap-1, 0x1.1ff482p-1] o2.z=[0x1p3, nan:0x7fffffff, 0x1.50855p-3, 0x1.0624ep-10] o2.w=[0x1.bb67aep0, 0x0p0, 0x1.2p1, 0x1p0] o3.x=[0x1.3fd808p-1, -0x0p0, 0x1.eb2094p-4, 0x1.bf36acp8]
; run maxwell@low: in0.x=[2, -0, 0.3, 1000] in0.y=[3, 0, 1.5, -1] in0.z=[0.5, 1, 2, 0] in0.w=[1, 4, 0.1, 2] == o0.x=[0x1.555552p-1, nan:0x7fffffff, 0x1.999998p-3, -0x1.f40004p9] o0.y=[0x1p-1, -inf, 0x1.aaaaaap1, 0x1.0624dep-10] o0.z=[0x1.6a09e4p-1, -inf, 0x1.d363dp0, 0x1.030dc4p-5] o0.w=[0x1.6a09e8p0, -0x0p0, 0x1.186f18p-1, 0x1.f9f6e6p4] o1.x=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.y=[0x1p0, -inf, -0x1.bca9c4p0, 0x1.3ee7b4p3] o1.z=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.w=[0x1p0, -inf, -0x1.bca9c4p0, 0x1.3ee7b4p3] o2.x=[0x1.d18f6cp-1, -0x0p0, 0x1.2e9cdap-2, 0x1.a759c8p-1] o2.y=[-0x1.aa226p-2, 0x1p0, 0x1.e921dap-1, 0x1.1ff482p-1] o2.z=[0x1p3, nan:0x7fffffff, 0x1.50855p-3, 0x1.0624ep-10] o2.w=[0x1.bb67aep0, 0x0p0, 0x1.2p1, 0x1p0] o3.x=[0x1.3fd808p-1, -0x0p0, 0x1.eb2094p-4, 0x1.bf36acp8]
; run rogue@random:5: in0.x=[2, -0, 0.3, 1000] in0.y=[3, 0, 1.5, -1] in0.z=[0.5, 1, 2, 0] in0.w=[1, 4, 0.1, 2] == o0.x=[0x1.555554p-1, nan:0xffc00000, 0x1.99999ap-3, -0x1.f4p9] o0.y=[0x1p-1, -inf, 0x1.aaaaa8p1, 0x1.0624dcp-10] o0.z=[0x1.6a09e6p-1, -inf, 0x1.d363dp0, 0x1.030dc4p-5] o0.w=[0x1.6a09e6p0, -0x0p0, 0x1.186f16p-1, 0x1.f9f6e4p4] o1.x=[0x1p2, 0x1p0, 0x1.3b2c46p0, 0x1.fffffep127] o1.y=[0x1p0, -inf, -0x1.bca9c4p0, 0x1.3ee7b4p3] o1.z=[0x1p2, 0x1p0, 0x1.3b2c46p0, 0x1.fffffep127] o1.w=[0x1p0, -inf, -0x1.bca9c4p0, 0x1.3ee7b4p3] o2.x=[0x1.d18f6ep-1, -0x0p0, 0x1.2e9cdap-2, 0x1.a75ccp-1] o2.y=[-0x1.aa2264p-2, 0x1p0, 0x1.e921dcp-1, 0x1.1ff026p-1] o2.z=[0x1p3, nan:0x7fc00000, 0x1.508554p-3, 0x1.0624dep-10] o2.w=[0x1.bb67aep0, 0x0p0, 0x1.2p1, 0x1p0] o3.x=[0x1.3fd806p-1, -0x0p0, 0x1.eb2094p-4, 0x1.bf36acp8]
; run attila: in0.x=[2, -0, 0.3, 1000] in0.y=[3, 0, 1.5, -1] in0.z=[0.5, 1, 2, 0] in0.w=[1, 4, 0.1, 2] == o0.x=[0x1.555556p-1, nan:0xffc00000, 0x1.99999ap-3, -0x1.f4p9] o0.y=[0x1p-1, -inf, 0x1.aaaaaap1, 0x1.0624dep-10] o0.z=[0x1.6a09e6p-1, nan:0xffc00000, 0x1.d363d2p0, 0x1.030dc6p-5] o0.w=[0x1.6a09e6p0, -0x0p0, 0x1.186f18p-1, 0x1.f9f6e4p4] o1.x=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.y=[0x1p0, -inf, -0x1.bca9c6p0, 0x1.3ee7b4p3] o1.z=[0x1p2, 0x1p0, 0x1.3b2c48p0, inf] o1.w=[0x1p0, -inf, -0x1.bca9c6p0, 0x1.3ee7b4p3] o2.x=[0x1.d18f6ep-1, -0x0p0, 0x1.2e9cdap-2, 0x1.a75cc2p-1] o2.y=[-0x1.aa2266p-2, 0x1p0, 0x1.e921dep-1, 0x1.1ff026p-1] o2.z=[0x1p3, 0x1p0, 0x1.50855p-3, 0x1.0624dep-10] o2.w=[0x1.bb67aep0, 0x0p0, 0x1.2p1, 0x1p0] o3.x=[0x1.3fd808p-1, -0x0p0, 0x1.eb2094p-4, 0x1.bf36aep8]
