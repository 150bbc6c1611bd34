//! Constant expressions that round: the shader computes them under the rules of the model.

use crate::kernel::{declared, decorated, kernel, run_with};
use parallax_lift::Options;
use std::collections::BTreeMap;

/// A specialised double becomes a float, a half and a half of binary32; vectors of them are taken apart, and conversions that
/// OpenCL allows follow.
#[test]
fn constants_are_converted_where_they_are_specialised() {
    let types = format!(
        "%double = OpTypeFloat 64\n%v2 = OpTypeVector %float 2\n%v2d = OpTypeVector %double 2\n%bool = OpTypeBool\n{}\
         %x = OpSpecConstant %double 1\n%two = OpConstant %double 2\n%pair = OpSpecConstantComposite %v2d %x %two\n\
         %narrow = OpSpecConstantOp %v2 FConvert %pair\n%first = OpSpecConstantOp %float CompositeExtract %narrow 0\n\
         %coarse = OpSpecConstantOp %float QuantizeToF16 %first\n%yes = OpSpecConstantTrue %bool\n\
         %chosen = OpSpecConstantOp %float Select %yes %coarse %first\n\
         %sum = OpSpecConstantOp %float FAdd %first %chosen\n%product = OpSpecConstantOp %float FMul %sum %sum\n\
         %whole = OpSpecConstantOp %uint ConvertFToU %product\n%more = OpSpecConstantOp %uint IAdd %whole %c1\n\
         %pi = OpTypePointer Private %float\n%kept = OpVariable %pi Private %product\n\
         %pu = OpTypePointer StorageBuffer %uint\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n\
         %c5 = OpConstant %uint 5\n",
        declared(0, "%float")
    );
    let mut body = "%seen = OpLoad %float %kept\n%back = OpConvertUToF %float %more\n".to_string();
    for (n, value) in ["%first", "%coarse", "%chosen", "%sum", "%seen", "%back"].iter().enumerate() {
        body += &format!("%to{n} = OpAccessChain %p0 %b0 %c0 %c{n}\nOpStore %to{n} {value}\n");
    }
    let decorations = "OpDecorate %x SpecId 7\n".to_string() + &decorated(0, 0, 4);
    let text = kernel(1, &decorations, &types, &body).replace("%pu = OpTypePointer StorageBuffer %uint\n", "");
    for x in [1.0 / 3.0, 100.123_456_789, 2049.0, 1e-30, -7.0] {
        let spec = BTreeMap::from([(7, f64::to_bits(x))]);
        let left = run_with(&text, &Options { spec, ..Options::default() }, vec![vec![0; 6]]);
        let first = x as f32;
        let coarse = half(first);
        let sum = first + coarse;
        let product = sum * sum;
        let expected = [first, coarse, coarse, sum, product, (product as u32).wrapping_add(1) as f32];
        assert_eq!(left[0], expected.map(f32::to_bits), "{x}");
    }
}

/// The nearest number with 11 significant bits, those below 2^-14 as zero.
fn half(value: f32) -> f32 {
    if value.abs() < 1.0 / 16384.0 {
        return 0.0f32.copysign(value);
    }
    let step = f64::from(f32::from_bits(value.to_bits() & 0x7f80_0000)) / 1024.0;
    ((f64::from(value) / step).round_ties_even() * step) as f32
}
