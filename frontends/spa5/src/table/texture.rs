//! Textures.

use crate::operand::*;

rows! {
    "TEX" Tex, "{guard}TEX.B{lod}{aoffi}{dc}{ndv}{nodep}{phase} {d}, {a}{b}, 0x0, {dim}, {mask}", "A sample of a texture whose handle is in a register.",
        [GUARD, LOD_37, AOFFI_36, DC_50, NDV_35, NODEP_49, PHASE, RESULT, FIRST_ONCE, SECOND_REGISTER_OPTIONAL, DIMENSION_28, CHANNELS_31] { ".B" top(0xfff8, 0xdeb8); }
    "TEX" Tex, "{guard}TEX{lod}{aoffi}{dc}{ndv}{nodep}{phase} {d}, {a}{b}, {handle}, {dim}, {mask}", "A sample of a texture.",
        [GUARD, LOD_55, AOFFI_54, DC_50, NDV_35, NODEP_49, PHASE, RESULT, FIRST_ONCE, SECOND_REGISTER_OPTIONAL, HANDLE, DIMENSION_28, CHANNELS_31] { "" top(0xfc38, 0xc038); }
    "TEXS" Texs, _, "A sample of a texture, into two registers or pairs.",
        [GUARD, NODEP_49, PHASE, SECOND_RESULT, RESULT, FIRST_ONCE, SECOND_REGISTER_OPTIONAL, HANDLE, CHANNELS_50] {
            "1D.LZ" top(0xffe0, 0xd800), "{guard}TEXS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 1D, {channels}";
            "2D" top(0xffe0, 0xd820), "{guard}TEXS{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.LZ" top(0xffe0, 0xd840), "{guard}TEXS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.LL" top(0xffe0, 0xd860), "{guard}TEXS.LL{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.DC" top(0xffe0, 0xd880), "{guard}TEXS.DC{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.LL.DC" top(0xffe0, 0xd8a0), "{guard}TEXS.LL.DC{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.LZ.DC" top(0xffe0, 0xd8c0), "{guard}TEXS.LZ.DC{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "ARRAY_2D" top(0xffe0, 0xd8e0), "{guard}TEXS{nodep}{phase} {second}, {d}, {a}{b}, {handle}, ARRAY_2D, {channels}";
            "ARRAY_2D.LZ" top(0xffe0, 0xd900), "{guard}TEXS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, ARRAY_2D, {channels}";
            "ARRAY_2D.LZ.DC" top(0xffe0, 0xd920), "{guard}TEXS.LZ.DC{nodep}{phase} {second}, {d}, {a}{b}, {handle}, ARRAY_2D, {channels}";
            "3D" top(0xffe0, 0xd940), "{guard}TEXS{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 3D, {channels}";
            "3D.LZ" top(0xffe0, 0xd960), "{guard}TEXS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 3D, {channels}";
            "CUBE" top(0xffe0, 0xd980), "{guard}TEXS{nodep}{phase} {second}, {d}, {a}{b}, {handle}, CUBE, {channels}";
            "CUBE.LL" top(0xffe0, 0xd9a0), "{guard}TEXS.LL{nodep}{phase} {second}, {d}, {a}{b}, {handle}, CUBE, {channels}";
        }
    "TLDS" Tlds, _, "A texel by integer coordinates, into two registers or pairs.",
        [GUARD, NODEP_49, PHASE, SECOND_RESULT, RESULT, FIRST_ONCE, SECOND_REGISTER_OPTIONAL, HANDLE, CHANNELS_50] {
            "1D.LZ" top(0xffe0, 0xda00), "{guard}TLDS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 1D, {channels}";
            "1D.LL" top(0xffe0, 0xda20), "{guard}TLDS.LL{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 1D, {channels}";
            "2D.LZ" top(0xffe0, 0xda40), "{guard}TLDS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.LZ.AOFFI" top(0xffe0, 0xda80), "{guard}TLDS.LZ.AOFFI{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.LL" top(0xffe0, 0xdaa0), "{guard}TLDS.LL{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "2D.LZ.MS" top(0xffe0, 0xdac0), "{guard}TLDS.LZ.MS{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
            "3D.LZ" top(0xffe0, 0xdae0), "{guard}TLDS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 3D, {channels}";
            "ARRAY_2D.LZ" top(0xffe0, 0xdb00), "{guard}TLDS.LZ{nodep}{phase} {second}, {d}, {a}{b}, {handle}, ARRAY_2D, {channels}";
            "2D.LL.AOFFI" top(0xffe0, 0xdb80), "{guard}TLDS.LL.AOFFI{nodep}{phase} {second}, {d}, {a}{b}, {handle}, 2D, {channels}";
        }
    "TLD4S" Tld4s, "{guard}TLD4S{component}{aoffi}{dc}{nodep}{phase} {second}, {d}, {a}, {b}, {handle}", "One component of the four texels around a point, into two registers or pairs.",
        [GUARD, COMPONENT_52, AOFFI_51, DC_50, NODEP_49, PHASE, SECOND_RESULT, RESULT, FIRST_ONCE, SECOND_REGISTER_ONCE, HANDLE] { "" top(0xffc0, 0xdf00); }
    "TLD" Tld, "{guard}TLD.B{lod}{aoffi}{ms}{cl}{nodep}{phase} {d}, {a}{b}, 0x0, {dim}, {mask}", "A texel by integer coordinates of a texture whose handle is in a register.",
        [GUARD, LOD_55_TLD, AOFFI_35, MS_50, CL_54, NODEP_49, PHASE, RESULT, FIRST_ONCE, SECOND_REGISTER_OPTIONAL, DIMENSION_28, CHANNELS_31] { ".B" top(0xff38, 0xdd38); }
    "TLD" Tld, "{guard}TLD{lod}{aoffi}{ms}{cl}{nodep}{phase} {d}, {a}{b}, {handle}, {dim}, {mask}", "A texel by integer coordinates.",
        [GUARD, LOD_55_TLD, AOFFI_35, MS_50, CL_54, NODEP_49, PHASE, RESULT, FIRST_ONCE, SECOND_REGISTER_OPTIONAL, HANDLE, DIMENSION_28, CHANNELS_31] { "" top(0xff38, 0xdc38); }
    "TLD4" Tld4, "{guard}TLD4{component}{offsets}{dc}{ndv}{nodep}{phase} {d}, {a}{b}, {handle}, {dim}, {mask}", "One component of the four texels around a point.",
        [GUARD, COMPONENT_56, OFFSETS_54, DC_50, NDV_35, NODEP_49, PHASE, RESULT, FIRST_ONCE, SECOND_REGISTER_OPTIONAL, HANDLE, DIMENSION_28, CHANNELS_31] { "" top(0xfc38, 0xc838); }
    "TXD" Txd, "{guard}TXD.B{aoffi}{nodep}{phase} {d}, {a}, {b}, 0x0, {dim}, {mask}", "A sample of a texture with derivatives, the handle in a register.",
        [GUARD, AOFFI_35, NODEP_49, PHASE, RESULT, FIRST_ONCE, SECOND_REGISTER_ONCE, DIMENSION_28, CHANNELS_31] { ".B" top(0xfffc, 0xde78); }
    "TXD" Txd, "{guard}TXD{aoffi}{nodep}{phase} {d}, {a}, {b}, {handle}, {dim}, {mask}", "A sample of a texture with derivatives.",
        [GUARD, AOFFI_35, NODEP_49, PHASE, RESULT, FIRST_ONCE, SECOND_REGISTER_ONCE, HANDLE, DIMENSION_28, CHANNELS_31] { "" top(0xfffc, 0xde38); }
    "TXQ" TexSize, "{guard}TXQ.B{nodep}{phase} {d}, {a}, TEX_HEADER_DIMENSION, 0x0, {mask}", "A property of a texture whose handle is in a register.",
        [GUARD, NODEP_49, PHASE, RESULT, FIRST_ONCE, CHANNELS_31] { "dimension .B" word(0xfff800000fc00000, 0xdf50000000400000); }
    "TXQ" TexSize, "{guard}TXQ{nodep}{phase} {d}, {a}, TEX_HEADER_DIMENSION, {handle}, {mask}", "A property of a texture.",
        [GUARD, NODEP_49, PHASE, RESULT, FIRST_ONCE, HANDLE, CHANNELS_31] { "dimension" word(0xfff800000fc00000, 0xdf48000000400000); }
    "TXQ" "no document says how positions of samples are given", "{guard}TXQ{nodep}{phase} {d}, {a}, TEX_HEADER_SAMPLER_POS, {handle}, {mask}", "A property of a texture.",
        [GUARD, NODEP_49, PHASE, RESULT, FIRST_ONCE, HANDLE, CHANNELS_31] { "sampler position" word(0xfff800000fc00000, 0xdf48000001400000); }
    "TXQ" "no document says how types and samplers are described", "{guard}TXQ{nodep}{phase} {d}, {a}, {query}, {handle}, {mask}", "A property of a texture or sampler.",
        [GUARD, NODEP_49, PHASE, RESULT, FIRST_ONCE, QUERY_23, HANDLE, CHANNELS_31] { "" word(0xfff8000000400000, 0xdf48000000000000); }
    "TXQ" "no document says how positions of samples are given", "{guard}TXQ.B{nodep}{phase} {d}, {a}, TEX_HEADER_SAMPLER_POS, 0x0, {mask}", "A property of a texture whose handle is in a register.",
        [GUARD, NODEP_49, PHASE, RESULT, FIRST_ONCE, CHANNELS_31] { "sampler position .B" word(0xfff800000fc00000, 0xdf50000001400000); }
    "TXQ" "no document says how types and samplers are described", "{guard}TXQ.B{nodep}{phase} {d}, {a}, {query}, 0x0, {mask}", "A property of a texture or sampler whose handle is in a register.",
        [GUARD, NODEP_49, PHASE, RESULT, FIRST_ONCE, QUERY_23, CHANNELS_31] { ".B" word(0xfff8000000400000, 0xdf50000000000000); }
    "TMML" Tmml, "{guard}TMML.LOD{ndv}{nodep}{phase} {d}, {a}, {handle}, {dim}, {mask}", "The level of detail a sample would have.",
        [GUARD, NDV_35, NODEP_49, PHASE, RESULT, FIRST_ONCE, HANDLE, DIMENSION_28, CHANNELS_31] { "" top(0xfff8, 0xdf58); }
}
