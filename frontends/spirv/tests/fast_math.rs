//! What fast math modes say: whether the model may fuse.

use crate::kernel::{declared, decorated, kernel, run};

/// A product of a matrix and a vector, which the model `ieee` computes with fused multiply-adds where it may.
fn product(decorations: &str, modes: &str) -> f32 {
    let types = format!(
        "%double = OpTypeFloat 64\n%v2 = OpTypeVector %float 2\n%m2 = OpTypeMatrix %v2 2\n%a = OpConstant %float 1.000244140625\n\
         %b = OpConstant %float -1.00048828125\n%one = OpConstant %float 1\n%zero = OpConstant %float 0\n\
         %none = OpConstant %uint 0\n%some = OpConstant %uint 7\n%contract = OpConstant %uint 65536\n{}",
        declared(0, "%float")
    );
    // a * a + b * 1, summed from the last column on.
    let body = "%x = OpCompositeConstruct %v2 %a %zero\n%y = OpCompositeConstruct %v2 %b %zero\n\
                %m = OpCompositeConstruct %m2 %x %y\n%v = OpCompositeConstruct %v2 %a %one\n\
                %r = OpMatrixTimesVector %v2 %m %v\n%s = OpCompositeExtract %float %r 0\n\
                %to = OpAccessChain %p0 %b0 %c0 %lane\nOpStore %to %s\n";
    let text = kernel(1, &(decorated(0, 0, 4) + decorations), &types, body);
    let text = text.replacen("OpDecorate", &format!("{modes}OpDecorate"), 1);
    f32::from_bits(run(&text, vec![vec![0]])[0][0])
}

#[test]
fn what_must_not_contract_rounds_twice() {
    // a * a is 1 + 2^-11 + 2^-24, whose last bit rounds away.
    let (fused, separate) = (2f32.powi(-24), 0.0);
    let default = |mode: &str| format!("OpExecutionModeId %main FPFastMathDefault %float {mode}\n");
    let flags = |flags: &str| format!("OpDecorate %r FPFastMathMode {flags}\n");
    for (decoration, mode, expected) in [
        (String::new(), String::new(), fused),
        ("OpDecorate %r NoContraction\n".into(), String::new(), separate),
        (flags("None"), String::new(), separate),
        (flags("NotNaN|NotInf|NSZ"), String::new(), separate),
        (flags("NotNaN|AllowContract"), String::new(), fused),
        (flags("AllowContract|AllowReassoc|AllowTransform"), String::new(), fused),
        (String::new(), default("%none"), separate),
        (String::new(), default("%some"), separate),
        (String::new(), default("%contract"), fused),
        (flags("AllowContract"), default("%none"), fused),
        (flags("None"), default("%contract"), separate),
        // A default is that of one type.
        (String::new(), default("%none").replace("%float", "%double"), fused),
    ] {
        assert_eq!(product(&decoration, &mode), expected, "{decoration}{mode}");
    }
}
