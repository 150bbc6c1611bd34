//! Names of opcodes, enumerants and extended instructions.

use crate::grammar::{Grammar, opcode_row};
use parallax_text::closest;
use rspirv::binary::Disassemble;
use rspirv::dr::Operand;
use rspirv::grammar::{
    ExtInstOp, INSTRUCTION_TABLE, InstructionTable, LogicalOperand, OperandKind, debuginfo, ext_inst_table,
    opencl_debuginfo_100,
};
use rspirv::spirv::{self, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::LazyLock;

/// More than the largest value of an enumerant.
const ENUMERANTS: u32 = 8192;

/// Says for each kind of enumerants how its values are spelled: single values by their Rust name, masks by the printer of
/// `rspirv`.
macro_rules! kinds {
    (values: $($value:ident)*; masks: $($mask:ident)*) => {
        fn operand(kind: OperandKind, word: u32) -> Option<Operand> {
            Some(match kind {
                $(OperandKind::$value => Operand::$value(spirv::$value::from_u32(word)?),)*
                $(OperandKind::$mask => Operand::$mask(spirv::$mask::from_bits(word)?),)*
                _ => return None,
            })
        }

        fn value_by_name(kind: OperandKind, name: &str) -> Option<u32> {
            Some(match kind {
                $(OperandKind::$value => name.parse::<spirv::$value>().ok()? as u32,)*
                _ => return None,
            })
        }

        fn bit_name(kind: OperandKind, bit: u32) -> Option<String> {
            Some(match kind {
                $(OperandKind::$mask => spirv::$mask::from_bits(bit)?.disassemble(),)*
                _ => return None,
            })
        }

        const MASKS: &[OperandKind] = &[$(OperandKind::$mask),*];
    };
}

kinds! {
    values: SourceLanguage ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim SamplerAddressingMode
        SamplerFilterMode ImageFormat ImageChannelOrder ImageChannelDataType FPRoundingMode FPDenormMode QuantizationModes
        FPOperationMode OverflowModes LinkageType AccessQualifier HostAccessQualifier FunctionParameterAttribute Decoration
        BuiltIn Scope GroupOperation KernelEnqueueFlags Capability RayQueryIntersection RayQueryCommittedIntersectionType
        RayQueryCandidateIntersectionType PackedVectorFormat CooperativeMatrixLayout CooperativeMatrixUse TensorClampMode
        InitializationModeQualifier LoadCacheControl StoreCacheControl NamedMaximumNumberOfRegisters FPEncoding
        CooperativeVectorMatrixLayout ComponentType;
    masks: ImageOperands FPFastMathMode SelectionControl LoopControl FunctionControl MemorySemantics MemoryAccess
        KernelProfilingInfo RayFlags FragmentShadingRate RawAccessChainOperands CooperativeMatrixOperands
        CooperativeMatrixReduce TensorAddressingOperands MatrixMultiplyAccumulateOperands TensorOperands
}

/// Values from 0 on of the debug information sets, for which `rspirv` has no names. Flags are bits, from the lowest, but
/// for the third value, which is two.
fn debug_names(kind: OperandKind) -> Option<(&'static [&'static str], bool)> {
    use debuginfo::ExtOperandKind as D;
    use opencl_debuginfo_100::ExtOperandKind as C;
    let (kind, old) = match kind {
        OperandKind::OpenclDebuginfo100(kind) => (kind, false),
        OperandKind::Debuginfo(D::DebugInfoFlags) => (C::DebugInfoFlags, true),
        OperandKind::Debuginfo(D::DebugBaseTypeAttributeEncoding) => return Some((OLD_DEBUG_ENCODINGS, false)),
        OperandKind::Debuginfo(D::DebugCompositeType) => (C::DebugCompositeType, true),
        OperandKind::Debuginfo(D::DebugTypeQualifier) => (C::DebugTypeQualifier, true),
        OperandKind::Debuginfo(D::DebugOperation) => (C::DebugOperation, true),
        _ => return None,
    };
    let (names, newer): (&[&str], usize) = match kind {
        C::DebugInfoFlags => (DEBUG_FLAGS, 3),
        C::DebugBaseTypeAttributeEncoding => (DEBUG_ENCODINGS, 0),
        C::DebugCompositeType => (&["Class", "Structure", "Union"], 0),
        C::DebugTypeQualifier => (&["ConstType", "VolatileType", "RestrictType", "AtomicType"], 1),
        C::DebugOperation => (DEBUG_OPERATIONS, 1),
        C::DebugImportedEntity => (&["ImportedModule", "ImportedDeclaration"], 0),
    };
    Some((&names[..names.len() - if old { newer } else { 0 }], kind == C::DebugInfoFlags))
}

const DEBUG_PUBLIC: &str = "FlagIsPublic";
const DEBUG_FLAGS: &[&str] = &[
    "FlagIsProtected",
    "FlagIsPrivate",
    "FlagIsLocal",
    "FlagIsDefinition",
    "FlagFwdDecl",
    "FlagArtificial",
    "FlagExplicit",
    "FlagPrototyped",
    "FlagObjectPointer",
    "FlagStaticMember",
    "FlagIndirectVariable",
    "FlagLValueReference",
    "FlagRValueReference",
    "FlagIsOptimized",
    "FlagIsEnumClass",
    "FlagTypePassByValue",
    "FlagTypePassByReference",
];
const DEBUG_ENCODINGS: &[&str] =
    &["Unspecified", "Address", "Boolean", "Float", "Signed", "SignedChar", "Unsigned", "UnsignedChar"];
/// The value 3 is missing.
const OLD_DEBUG_ENCODINGS: &[&str] =
    &["Unspecified", "Address", "Boolean", "", "Float", "Signed", "SignedChar", "Unsigned", "UnsignedChar"];
const DEBUG_OPERATIONS: &[&str] =
    &["Deref", "Plus", "Minus", "PlusUconst", "BitPiece", "Swap", "Xderef", "StackValue", "Constu", "Fragment"];

/// The name of the value 0 of a mask.
fn empty_name(kind: OperandKind) -> &'static str {
    match kind {
        OperandKind::RayFlags | OperandKind::CooperativeMatrixOperands => "NoneKHR",
        OperandKind::TensorOperands => "NoneARM",
        _ => "None",
    }
}

/// How the value of an enumerant is written; `None` for values without a name.
pub(super) fn name(kind: OperandKind, word: u32) -> Option<String> {
    if let Some((names, is_flags)) = debug_names(kind) {
        if !is_flags {
            return names.get(word as usize).filter(|name| !name.is_empty()).map(|name| name.to_string());
        }
        let known = (1u64 << names.len()) - 1;
        if u64::from(word) & !known != 0 {
            return None;
        }
        let set: Vec<_> = (0..names.len()).filter(|bit| word >> bit & 1 != 0).map(|bit| names[bit]).collect();
        return Some(if set.is_empty() { "None".to_string() } else { set.join("|") });
    }
    if !MASKS.contains(&kind) {
        return Some(operand(kind, word)?.to_string());
    }
    if word == 0 { Some(empty_name(kind).to_string()) } else { bit_name(kind, word) }
}

/// The value of an enumerant.
///
/// # Errors
/// The part of the text that is no name, and the name that may have been meant.
pub(super) fn value(kind: OperandKind, text: &str) -> Result<u32, (String, Option<String>)> {
    if let Some((names, is_flags)) = debug_names(kind) {
        let find = |name: &str| match names.iter().position(|n| *n == name) {
            Some(at) => Ok(if is_flags { 1 << at } else { at as u32 }),
            None if is_flags && name == "None" => Ok(0),
            None if is_flags && name == DEBUG_PUBLIC => Ok(3),
            None => Err((name.to_string(), closest(name, names.iter().copied()).map(String::from))),
        };
        return if is_flags { text.split('|').try_fold(0, |bits, name| Ok(bits | find(name)?)) } else { find(text) };
    }
    if let Some(bits) = mask_names(kind) {
        return text.split('|').try_fold(0, |value, name| match bit(kind, bits, name) {
            Some(bit) => Ok(value | bit),
            None => Err((name.to_string(), closest(name, bits.iter().map(|(name, _)| &**name)).map(String::from))),
        });
    }
    let prefixed = if kind == OperandKind::Dim { format!("Dim{text}") } else { text.to_string() };
    value_by_name(kind, &prefixed).ok_or_else(|| {
        let names: Vec<_> = (0..ENUMERANTS).filter_map(|word| name(kind, word)).collect();
        (text.to_string(), closest(text, names.iter().map(|name| &**name)).map(String::from))
    })
}

fn bit(kind: OperandKind, bits: &[(String, u32)], name: &str) -> Option<u32> {
    let find = |name: &str| bits.iter().find(|(known, _)| known == name).map(|(_, bit)| *bit);
    if name == "None" || name == empty_name(kind) {
        return Some(0);
    }
    // Names from before an extension became part of the core, or was renamed.
    find(name).or_else(|| find(name.strip_suffix("KHR")?)).or_else(|| {
        let stem = name.strip_suffix("INTEL")?;
        find(&format!("{stem}EXT")).or_else(|| find(&format!("{stem}ALTERA")))
    })
}

/// Names and values of the bits of a mask.
pub(super) fn mask_names(kind: OperandKind) -> Option<&'static [(String, u32)]> {
    static NAMES: LazyLock<FxHashMap<OperandKind, Vec<(String, u32)>>> = LazyLock::new(|| {
        let bits = |kind| (0..32).map(|bit| 1 << bit).filter_map(move |bit| Some((bit_name(kind, bit)?, bit)));
        MASKS.iter().map(|kind| (*kind, bits(*kind).collect())).collect()
    });
    NAMES.get(&kind).map(|names| &**names)
}

/// The operands that a value of an enumerant brings with it: those of a mask in the order of its bits.
pub(super) fn parameters(kind: OperandKind, word: u32) -> SmallVec<[LogicalOperand; 4]> {
    let of = |word| operand(kind, word).map(|operand| operand.additional_operands()).unwrap_or_default();
    if MASKS.contains(&kind) {
        (0..32).map(|bit| word & 1 << bit).filter(|bit| *bit != 0).flat_map(of).collect()
    } else {
        of(word).into()
    }
}

/// Older names of opcodes, which may be read but are not written.
macro_rules! aliases {
    ($($name:ident)*) => { &[$((stringify!($name), Op::$name)),*] };
}

const ALIASES: &[(&str, Op)] = aliases! {
    SDotKHR UDotKHR SUDotKHR SDotAccSatKHR UDotAccSatKHR SUDotAccSatKHR TypeCooperativeVectorNV GroupNonUniformPartitionNV
    ReportIntersectionNV TypeAccelerationStructureNV RayQueryGetClusterIdNV DemoteToHelperInvocationEXT
    DecorateStringGOOGLE MemberDecorateStringGOOGLE ArbitraryFloatSinCosPiINTEL ArbitraryFloatCastINTEL
    ArbitraryFloatCastFromIntINTEL ArbitraryFloatCastToIntINTEL ArbitraryFloatAddINTEL ArbitraryFloatSubINTEL
    ArbitraryFloatMulINTEL ArbitraryFloatDivINTEL ArbitraryFloatGTINTEL ArbitraryFloatGEINTEL ArbitraryFloatLTINTEL
    ArbitraryFloatLEINTEL ArbitraryFloatEQINTEL ArbitraryFloatRecipINTEL ArbitraryFloatRSqrtINTEL ArbitraryFloatCbrtINTEL
    ArbitraryFloatHypotINTEL ArbitraryFloatSqrtINTEL FixedSqrtINTEL FixedRecipINTEL FixedRsqrtINTEL FixedSinINTEL
    FixedCosINTEL FixedSinCosINTEL FixedSinPiINTEL FixedCosPiINTEL FixedSinCosPiINTEL FixedLogINTEL FixedExpINTEL
    PtrCastToCrossWorkgroupINTEL CrossWorkgroupCastToPtrINTEL ReadPipeBlockingINTEL WritePipeBlockingINTEL FPGARegINTEL
    TaskSequenceCreateINTEL TaskSequenceAsyncINTEL TaskSequenceGetINTEL TaskSequenceReleaseINTEL TypeTaskSequenceINTEL
};

/// The grammar of an opcode by its name without `Op`.
pub(super) fn opcode(name: &str) -> Option<&'static Grammar> {
    static ROWS: LazyLock<FxHashMap<&'static str, u16>> = LazyLock::new(|| {
        let rows = INSTRUCTION_TABLE.iter().map(|row| (row.opname, row.opcode as u16));
        ALIASES.iter().map(|(name, op)| (*name, *op as u16)).chain(rows).collect()
    });
    opcode_row(*ROWS.get(name)?)
}

/// The known opcode whose name is near to a misspelled one.
pub(super) fn near_opcode(name: &str) -> Option<&'static str> {
    closest(name, INSTRUCTION_TABLE.iter().map(|row| row.opname))
}

/// A set of extended instructions.
pub(super) type Set = &'static InstructionTable<ExtInstOp>;

/// The set of extended instructions that is imported by this name. Sets without semantics carry their version behind it.
pub(super) fn set(name: &str) -> Option<Set> {
    ext_inst_table(name).or_else(|| {
        let (stem, version) = name.strip_prefix("NonSemantic.").and(name.rsplit_once('.'))?;
        version.bytes().all(|b| b.is_ascii_digit()).then(|| ext_inst_table(stem))?
    })
}
