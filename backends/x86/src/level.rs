//! What the host can do.

/// Whether the host runs the code made here: AVX-512 with the extensions F, BW, CD, DQ, VL and VPOPCNTDQ, and FMA and F16C
/// in their EVEX forms.
pub fn is_supported() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512cd")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vpopcntdq")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
