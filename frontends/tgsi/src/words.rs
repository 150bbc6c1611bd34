//! The fixed words of the text format, each list once, with its spelling.

/// Declares a word list: an enum, its spellings in order, and the way back.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$vmeta])* #[doc = concat!("`", $word, "`")] $variant),+ }

        impl $name {
            /// Every word, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The spelling.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Reads a spelling, letters of either case.
            pub fn from_name(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|w| w.name().eq_ignore_ascii_case(word))
            }

            /// Every spelling, in order.
            pub fn names() -> impl Iterator<Item = &'static str> {
                Self::ALL.iter().map(|w| w.name())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

words! {
    /// The first word of a text: which stage it is for.
    Processor {
        Fragment = "FRAG",
        Vertex = "VERT",
        Geometry = "GEOM",
        TessControl = "TESS_CTRL",
        TessEval = "TESS_EVAL",
        Compute = "COMP",
    }
}

words! {
    /// Register files.
    File {
        Null = "NULL",
        Const = "CONST",
        In = "IN",
        Out = "OUT",
        Temp = "TEMP",
        Samp = "SAMP",
        Addr = "ADDR",
        Imm = "IMM",
        Sv = "SV",
        Image = "IMAGE",
        SView = "SVIEW",
        Buffer = "BUFFER",
        Memory = "MEMORY",
        ConstBuf = "CONSTBUF",
        HwAtomic = "HWATOMIC",
    }
}

words! {
    /// Meaning of an input, output or system value.
    Semantic {
        Position = "POSITION",
        Color = "COLOR",
        BackColor = "BCOLOR",
        Fog = "FOG",
        PointSize = "PSIZE",
        Generic = "GENERIC",
        Normal = "NORMAL",
        Face = "FACE",
        EdgeFlag = "EDGEFLAG",
        PrimId = "PRIM_ID",
        InstanceId = "INSTANCEID",
        VertexId = "VERTEXID",
        Stencil = "STENCIL",
        ClipDist = "CLIPDIST",
        ClipVertex = "CLIPVERTEX",
        GridSize = "GRID_SIZE",
        BlockId = "BLOCK_ID",
        BlockSize = "BLOCK_SIZE",
        ThreadId = "THREAD_ID",
        TexCoord = "TEXCOORD",
        PointCoord = "PCOORD",
        ViewportIndex = "VIEWPORT_INDEX",
        Layer = "LAYER",
        SampleId = "SAMPLEID",
        SamplePos = "SAMPLEPOS",
        SampleMask = "SAMPLEMASK",
        InvocationId = "INVOCATIONID",
        VertexIdNoBase = "VERTEXID_NOBASE",
        BaseVertex = "BASEVERTEX",
        Patch = "PATCH",
        TessCoord = "TESSCOORD",
        TessOuter = "TESSOUTER",
        TessInner = "TESSINNER",
        VerticesIn = "VERTICESIN",
        HelperInvocation = "HELPER_INVOCATION",
        BaseInstance = "BASEINSTANCE",
        DrawId = "DRAWID",
        WorkDim = "WORK_DIM",
        SubgroupSize = "SUBGROUP_SIZE",
        SubgroupInvocation = "SUBGROUP_INVOCATION",
        SubgroupEqMask = "SUBGROUP_EQ_MASK",
        SubgroupGeMask = "SUBGROUP_GE_MASK",
        SubgroupGtMask = "SUBGROUP_GT_MASK",
        SubgroupLeMask = "SUBGROUP_LE_MASK",
        SubgroupLtMask = "SUBGROUP_LT_MASK",
        CullDist = "CULLDIST",
        ViewportMask = "VIEWPORT_MASK",
        DefaultTessOuter = "TESS_DEFAULT_OUTER_LEVEL",
        DefaultTessInner = "TESS_DEFAULT_INNER_LEVEL",
    }
}

words! {
    /// Interpolation of a fragment input.
    Interpolation {
        Constant = "CONSTANT",
        Linear = "LINEAR",
        Perspective = "PERSPECTIVE",
        Color = "COLOR",
    }
}

words! {
    /// Where in the pixel a fragment input is interpolated.
    Place {
        Center = "CENTER",
        Centroid = "CENTROID",
        Sample = "SAMPLE",
    }
}

words! {
    /// Texture shapes.
    Target {
        Buffer = "BUFFER",
        D1 = "1D",
        D2 = "2D",
        D3 = "3D",
        Cube = "CUBE",
        Rect = "RECT",
        Shadow1D = "SHADOW1D",
        Shadow2D = "SHADOW2D",
        ShadowRect = "SHADOWRECT",
        D1Array = "1D_ARRAY",
        D2Array = "2D_ARRAY",
        Shadow1DArray = "SHADOW1D_ARRAY",
        Shadow2DArray = "SHADOW2D_ARRAY",
        ShadowCube = "SHADOWCUBE",
        D2Msaa = "2D_MSAA",
        D2ArrayMsaa = "2D_ARRAY_MSAA",
        CubeArray = "CUBEARRAY",
        ShadowCubeArray = "SHADOWCUBEARRAY",
        Unknown = "UNKNOWN",
    }
}

words! {
    /// What a sampler view returns.
    ReturnType {
        Unorm = "UNORM",
        Snorm = "SNORM",
        Sint = "SINT",
        Uint = "UINT",
        Float = "FLOAT",
    }
}

words! {
    /// Kinds of declared memory.
    MemoryKind {
        Global = "GLOBAL",
        Shared = "SHARED",
        Private = "PRIVATE",
        Input = "INPUT",
    }
}

words! {
    /// Types of immediates.
    ImmType {
        Flt32 = "FLT32",
        Int32 = "INT32",
        Uint32 = "UINT32",
        Flt64 = "FLT64",
        Int64 = "INT64",
        Uint64 = "UINT64",
    }
}

words! {
    /// Primitive kinds, for properties.
    Primitive {
        Points = "POINTS",
        Lines = "LINES",
        LineLoop = "LINE_LOOP",
        LineStrip = "LINE_STRIP",
        Triangles = "TRIANGLES",
        TriangleStrip = "TRIANGLE_STRIP",
        TriangleFan = "TRIANGLE_FAN",
        Quads = "QUADS",
        QuadStrip = "QUAD_STRIP",
        Polygon = "POLYGON",
        LinesAdjacency = "LINES_ADJACENCY",
        LineStripAdjacency = "LINE_STRIP_ADJACENCY",
        TrianglesAdjacency = "TRIANGLES_ADJACENCY",
        TriangleStripAdjacency = "TRIANGLE_STRIP_ADJACENCY",
        Patches = "PATCHES",
    }
}

words! {
    /// Origin of the window position.
    Origin {
        UpperLeft = "UPPER_LEFT",
        LowerLeft = "LOWER_LEFT",
    }
}

words! {
    /// Pixel centre of the window position.
    PixelCenter {
        HalfInteger = "HALF_INTEGER",
        Integer = "INTEGER",
    }
}

words! {
    /// Properties. `MUL_ZERO_WINS` is the older name of `LEGACY_MATH_RULES`; both are read.
    PropertyName {
        GsInputPrimitive = "GS_INPUT_PRIMITIVE",
        GsOutputPrimitive = "GS_OUTPUT_PRIMITIVE",
        GsMaxOutputVertices = "GS_MAX_OUTPUT_VERTICES",
        FsCoordOrigin = "FS_COORD_ORIGIN",
        FsCoordPixelCenter = "FS_COORD_PIXEL_CENTER",
        FsColor0WritesAllCbufs = "FS_COLOR0_WRITES_ALL_CBUFS",
        FsDepthLayout = "FS_DEPTH_LAYOUT",
        VsProhibitUcps = "VS_PROHIBIT_UCPS",
        GsInvocations = "GS_INVOCATIONS",
        VsWindowSpacePosition = "VS_WINDOW_SPACE_POSITION",
        TcsVerticesOut = "TCS_VERTICES_OUT",
        TesPrimMode = "TES_PRIM_MODE",
        TesSpacing = "TES_SPACING",
        TesVertexOrderCw = "TES_VERTEX_ORDER_CW",
        TesPointMode = "TES_POINT_MODE",
        NumClipDistEnabled = "NUM_CLIPDIST_ENABLED",
        NumCullDistEnabled = "NUM_CULLDIST_ENABLED",
        FsEarlyDepthStencil = "FS_EARLY_DEPTH_STENCIL",
        FsPostDepthCoverage = "FS_POST_DEPTH_COVERAGE",
        NextShader = "NEXT_SHADER",
        CsFixedBlockWidth = "CS_FIXED_BLOCK_WIDTH",
        CsFixedBlockHeight = "CS_FIXED_BLOCK_HEIGHT",
        CsFixedBlockDepth = "CS_FIXED_BLOCK_DEPTH",
        LegacyMathRules = "LEGACY_MATH_RULES",
        VsBlitSgprs = "VS_BLIT_SGPRS_AMD",
        CsUserDataComponents = "CS_USER_DATA_COMPONENTS_AMD",
        LayerViewportRelative = "LAYER_VIEWPORT_RELATIVE",
        FsBlendEquationAdvanced = "FS_BLEND_EQUATION_ADVANCED",
        SeparableProgram = "SEPARABLE_PROGRAM",
        MulZeroWins = "MUL_ZERO_WINS",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_either_case_and_are_unique() {
        assert_eq!(File::from_name("temp"), Some(File::Temp));
        assert_eq!(Target::from_name("2d_Array"), Some(Target::D2Array));
        assert_eq!(Semantic::from_name("PRIMID"), None);
        let mut names: Vec<&str> = Semantic::names().chain(PropertyName::names()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
