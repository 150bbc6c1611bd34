//! Special values of every model, as its document states them. One row: model, operation, slot (with `<` the source of a
//! conversion), operands = result, all as lane words in hexadecimal; `nan` is any NaN.

use parallax_num::{Decl, Model, Op, Slot, Storage, eval};

const ROWS: &str = "
# US patent 7136070: zero wins, NaN is read as infinity, magnitudes under roots and logarithms, no denormals.
nv-patent mul fp32 00000000 7f800000 = 00000000
nv-patent mul fp32 ff800000 00000000 = 00000000
nv-patent mul fp32 00000000 7fc00000 = 00000000
nv-patent mul half 0000 7c00 = 0000
nv-patent mul fp32 3f800000 7fc00001 = 7fc00001
nv-patent mul fp32 40000000 7fc00000 = nan
nv-patent add fp32 00000000 7f800000 = 7f800000
nv-patent add fp32 00000000 7fc00000 = nan
nv-patent mad fp32 00000000 7f800000 3f800000 = 3f800000
nv-patent dot3 fp32 00000000 3f800000 40000000 7f800000 40400000 40800000 = 41300000
nv-patent feq fp32 7fc00000 7f800000 = 1
nv-patent flt fp32 ffc00000 00000000 = 1
nv-patent fgt fp32 7fc00000 3f800000 = 1
nv-patent fne fp32 7fc00000 7f800000 = 0
nv-patent fne fp32 80000000 00000000 = 0
nv-patent cc.of fp32 7fc00000 = 2
nv-patent cc.of fp32 ffc00000 = 0
nv-patent cc.of fp32 80000000 = 1
nv-patent cc.of fp32 80000001 = 1
nv-patent cvt fx12<fp32 7fc00000 = 000007ff
nv-patent cvt fx12<fp32 ffc00000 = fffff800
nv-patent cvt fx12<fp32 7f800000 = 000007ff
nv-patent min fp32 7fc00000 3f800000 = 3f800000
nv-patent min fp32 3f800000 7fc00000 = 3f800000
nv-patent min fp32 ffc00000 3f800000 = ffc00000
nv-patent min fp32 00000000 80000000 = 80000000
nv-patent max fp32 7fc00000 3f800000 = 7fc00000
nv-patent max fp32 3f800000 7fc00000 = 7fc00000
nv-patent max fp32 80000000 00000000 = 80000000
nv-patent rsq fp32 c0800000 = 3f000000
nv-patent rsq fp32 00000000 = 7f800000
nv-patent rsq fp32 80000000 = 7f800000
nv-patent rsq fp32 00000001 = 7f800000
nv-patent rsq fp32 3f800000 = 3f800000
nv-patent rcp fp32 80000000 = ff800000
nv-patent rcp fp32 80000001 = ff800000
nv-patent rcp fp32 ff800000 = 80000000
nv-patent rcp fp32 3f800000 = 3f800000
nv-patent log2.part fp32 00000000 = ff800000
nv-patent log2.part fp32 c0000000 = 3f800000
nv-patent log.exp fp32 00000000 = ff800000
nv-patent log.exp fp32 c0000000 = 3f800000
nv-patent log.mant fp32 00000000 = 3f800000
nv-patent log.mant fp32 c0400000 = 3fc00000
nv-patent exp2.floor fp32 3fc00000 = 40000000
nv-patent add fp32 00000001 00000000 = 00000000
nv-patent add half 0001 0000 = 0000
nv-patent mul half 0400 3800 = 0000
nv-patent add fp32 7f7fffff 7f7fffff = 7f800000
nv-patent[round=rtz] add fp32 7f7fffff 7f7fffff = 7f800000
nv-patent cvt half<fp32 47800000 = 7c00
nv-patent lit.z fp32 3f800000 00000000 00000000 = 3f800000
nv-patent lit.z fp32 bf800000 40000000 3f800000 = 00000000
nv-patent lit.z fp32 3f800000 3f800000 43800000 = 3f800000
nv-patent pack.half2 fp32 33800000 3f800000 = 3c000000
nv-patent pack.biased4x8 fp32 bf800000 00000000 3f800000 3f000000 = bfff8001
nv-patent mad fx12 000007ff 000007ff fffff800 = 000007fc
nv-patent[fixed_wide=false] mad fx12 000007ff 000007ff fffff800 = ffffffff

# NV_fragment_program rev 73: IEEE specials, denormals only in fp16, a clamp keeps NaN.
nvfp mul fp32 00000000 7f800000 = nan
nvfp mul fp32 80000000 3f800000 = 80000000
nvfp add fp32 80000000 80000000 = 80000000
nvfp add fp32 7f800000 ff800000 = nan
nvfp min fp32 7fc00000 3f800000 = nan
nvfp min fp32 3f800000 7fc00000 = nan
nvfp max fp32 7fc00000 3f800000 = nan
nvfp max fp32 3f800000 7fc00000 = nan
nvfp fne fp32 7fc00000 7fc00000 = 1
nvfp feq fp32 7fc00000 7fc00000 = 0
nvfp fge fp32 7fc00000 00000000 = 0
nvfp cc.of fp32 7fc00000 = 3
nvfp cvt fx12<fp32 7fc00000 = 00000000
nvfp cvt fx12<fp32 7f800000 = 000007ff
nvfp cvt fx12<fp32 ff800000 = fffff800
nvfp cvt fx12<fp32 c0400000 = fffff800
nvfp cvt half<fp32 47800000 = 7c00
nvfp cvt half<fp32 7fc00000 = nan
nvfp cvt half<fp32 33800000 = 0001
nvfp cvt fp32<half 0001 = 33800000
nvfp cvt fp32<fp32 00000001 = 00000000
nvfp cvt fp32<fp32 80000001 = 80000000
nvfp add half 0001 0000 = 0001
nvfp mul half 0400 3800 = 0200
nvfp add fp32 00000001 00000000 = 00000000
nvfp rsq fp32 c0800000 = nan
nvfp rsq fp32 80000000 = ff800000
nvfp rsq fp32 00000000 = 7f800000
nvfp rcp fp32 00000001 = 7f800000
nvfp rcp fp32 7f800000 = 00000000
nvfp log2 fp32 c0000000 = nan
nvfp log2 fp32 00000000 = ff800000
nvfp log2 fp32 80000000 = ff800000
nvfp log2 fp32 7f800000 = 7f800000
nvfp exp2 fp32 00000000 = 3f800000
nvfp exp2 fp32 ff800000 = 00000000
nvfp exp2 fp32 7f800000 = 7f800000
nvfp sin fp32 00000000 = 00000000
nvfp sin fp32 80000000 = 80000000
nvfp cos fp32 80000000 = 3f800000
nvfp sin fp32 7f800000 = nan
nvfp pow fp32 00000000 00000000 = nan
nvfp pow fp32 3f800000 42280000 = 3f800000
nvfp pow fp32 7f800000 bf800000 = 00000000
nvfp lit.z fp32 3f800000 00000000 00000000 = nan
nvfp add fp32.sat 7fc00000 00000000 = nan
nvfp add fp32.sat 80000000 80000000 = 80000000
nvfp frac fp32 b0000000 = 3f7fffff
nvfp add fx12 000007ff 000007ff = 000007ff
nvfp mad fx12 000007ff 000007ff fffff800 = 000007fc
nvfp pack.half2 fp32 33800000 3f800000 = 3c000001
nvfp pack.biased4x8 fp32 bf800000 00000000 3f800000 3f000000 = c0ff8001
nvfp unpack.biased8 fp32 00 = bf810204
nvfp unpack.biased8 fp32 80 = 00000000
nvfp unpack.biased8 fp32 ff = 3f800000
nvfp mad fp32 3f800003 3f800003 bf800006 = 00000000

# ARB_fragment_program with the NV option.
nv-arb rsq fp32 c0800000 = 3f000000
nv-arb rsq fp32 80000000 = 7f800000
nv-arb lit.z fp32 3f800000 00000000 00000000 = 3f800000
nv-arb min fp32 7fc00000 3f800000 = 7fc00000
nv-arb min fp32 3f800000 7fc00000 = 3f800000
nv-arb max fp32 7fc00000 3f800000 = 3f800000
nv-arb max fp32 3f800000 7fc00000 = 7fc00000
nv-arb min fp32 00000000 80000000 = 00000000
nv-arb max fp32 00000000 80000000 = 80000000
nv-arb add half 0001 0000 = 0001
nv-arb mul fp32 00000000 7f800000 = nan

# NV40, from remarks on hardware tests.
nv40 add fp32.sat 7fc00000 00000000 = 00000000
nv40 rsq fp32 c0800000 = 3f000000
nv40 rsq fp32 00000000 = 7f800000
nv40 rcp fp32 00000000 = 7f800000
nv40 log2 fp32 c0000000 = nan
nv40 cvt fx9<fp32 7fc00000 = 00000000
nv40 cvt fx9<fp32 40000000 = 000000ff
nv40 cvt fx9<fp32 c0000000 = ffffff00
nv40 cvt fx12<fp32 40000000 = 000007ff

# ATTILA simulator.
attila add fp32.sat 7fc00000 00000000 = 3f800000
attila add fp32.sat 80000000 80000000 = 80000000
attila add fp32.sat ff800000 00000000 = 00000000
attila add fp32 7f800000 ff800000 = nan
attila mul fp32 00000000 7f800000 = nan
attila add fp32 80000001 80000000 = 80000001
attila max fp32 7fc00000 3f800000 = 3f800000
attila max fp32 3f800000 7fc00000 = 7fc00000
attila max fp32 00000000 80000000 = 80000000
attila min fp32 80000000 00000000 = 00000000
attila min fp32 7fc00000 3f800000 = 3f800000
attila min fp32 3f800000 7fc00000 = 7fc00000
attila flt fp32 7fc00000 00000000 = 0
attila feq fp32 80000000 00000000 = 1
attila rcp fp32 00000000 = 7f800000
attila rcp fp32 80000000 = ff800000
attila rcp fp32 ff800000 = 80000000
attila rcp fp32 00000001 = 7f800000
attila rsq fp32 00000000 = 7f800000
attila rsq fp32 80000000 = nan
attila rsq fp32 7f800000 = 00000000
attila rsq fp32 ff800000 = 00000000
attila rsq fp32 c0800000 = 3f000000
attila rsq fp32 00000001 = 7f800000
attila rsq fp32 3eaaaaab = 3fddb3d7
attila rsq fp32 c7800040 = 3b7fffc0
attila exp2 fp32 43000000 = 7f800000
attila exp2 fp32 c3150000 = 00000001
attila exp2 fp32 7fc00000 = nan
attila log2 fp32 00000000 = ff800000
attila log2 fp32 80000000 = ff800000
attila log2 fp32 bf800000 = nan
attila log2 fp32 7f800000 = 7f800000
attila log2 fp32 00000001 = c3150000
attila lit.y fp32 7fc00000 = nan
attila lit.y fp32 bf800000 = 00000000
attila lit.z fp32 7fc00000 3f800000 3f800000 = 00000000
attila lit.z fp32 3f800000 40000000 7fc00000 = 7f800000
attila lit.z fp32 3f800000 00000000 00000000 = 3f800000
attila lit.z fp32 3f800000 00000000 bf800000 = 7f800000
attila sin fp32 7f800000 = nan
attila frac fp32 7f800000 = nan
attila frac fp32 b0000000 = 3f800000
attila f2i.floor fp32 7fc00000 = 80000000
attila f2i.floor fp32 7f7fffff = 80000000
attila f2i.floor fp32 80000001 = ffffffff
attila mad fp32 3f800003 3f800003 bf800006 = 00000000

# PowerVR Rogue.
rogue rcp fp32 ffc00001 = 7fc00000
rogue rcp fp32 80000000 = ff800000
rogue rcp fp32 ff800000 = 80000000
rogue rcp fp32 bf800000 = bf800000
rogue rsq fp32 7f800000 = 00000000
rogue rsq fp32 00000000 = 7f800000
rogue rsq fp32 80000000 = ff800000
rogue rsq fp32 bf800000 = 7fc00000
rogue rsq fp32 3f800000 = 3f800000
rogue log2 fp32 00000000 = ff800000
rogue log2 fp32 80000000 = ff800000
rogue log2 fp32 bf800000 = 7fc00000
rogue log2 fp32 3f800000 = 00000000
rogue log2 fp32 7f800000 = 7f800000
rogue exp2 fp32 7f800000 = 7f800000
rogue exp2 fp32 ffc00001 = 7fc00000
rogue exp2 fp32 80000000 = 3f800000
rogue add fp32.sat 7fc00000 00000000 = 00000000
rogue fne fp32 7fc00000 7fc00000 = 0
rogue fge fp32 7fc00000 7fc00000 = 0
rogue mad fp32 3f800003 3f800003 bf800006 = 2a100000
rogue mad half 3c03 3c03 bc06 = 0000
rogue f2i.trunc fp32 4f800000 = 7fffffff

# NVIDIA SPA 5.0, from the PTX manual.
maxwell add fp32 7f800000 ff800000 = 7fffffff
maxwell mul fp32 00000000 7f800000 = 7fffffff
maxwell add fp32 7fc00001 00000000 = 7fffffff
maxwell add fp32 ff800001 00000000 = 7fffffff
maxwell mul fp32.fmz 00000000 7f800000 = 00000000
maxwell mul fp32.fmz 80000000 7fc00000 = 00000000
maxwell add fp32 00000001 00000000 = 00000001
maxwell add fp32.ftz 00000001 00000000 = 00000000
maxwell add fp32.ftz 80000001 80000000 = 80000000
maxwell add fp32.rtz 3f800000 33ffffff = 3f800000
maxwell add fp32.rup 3f800000 00000001 = 3f800001
maxwell add fp32.sat 7fc00000 00000000 = 00000000
maxwell min fp32 7fc00000 3f800000 = 3f800000
maxwell max fp32 3f800000 7fc00000 = 3f800000
maxwell min fp32 7fc00000 ffc00000 = 7fffffff
maxwell min fp32 00000000 80000000 = 80000000
maxwell max fp32 80000000 00000000 = 00000000
maxwell rcp fp32 80000000 = ff800000
maxwell rcp fp32 00000001 = 7f800000
maxwell rcp fp32 ff800000 = 80000000
maxwell rsq fp32 80000000 = ff800000
maxwell rsq fp32 bf800000 = 7fffffff
maxwell log2 fp32 80000000 = ff800000
maxwell log2 fp32 00000001 = ff800000
maxwell log2 fp32 bf800000 = 7fffffff
maxwell exp2 fp32 ff800000 = 00000000
maxwell exp2 fp32 c3000000 = 00000000
maxwell sin fp32 7f800000 = 7fffffff
maxwell cos fp32 ff800000 = 7fffffff
maxwell f2i.trunc fp32 7fc00000 = 00000000
maxwell f2i.trunc fp32 4f800000 = 7fffffff
maxwell f2u.trunc fp32 bf800000 = 00000000
maxwell mad fp32 3f800003 3f800003 bf800006 = 2a100000
maxwell mad fp32.precise 3f800003 3f800003 bf800006 = 00000000

# TGSI on its interpreter.
tgsi add fp32 7f800000 ff800000 = ffc00000
tgsi mul fp32 00000000 7f800000 = ffc00000
tgsi add fp32 7f800001 00000000 = 7fc00001
tgsi add fp32 00000000 ffc00003 = ffc00003
tgsi min fp32 7fc00000 3f800000 = 3f800000
tgsi min fp32 3f800000 7fc00000 = 3f800000
tgsi max fp32 7fc00000 bf800000 = bf800000
tgsi max fp32 7fc00000 ffc00000 = nan
tgsi add fp32.sat 7fc00000 00000000 = 00000000
tgsi add fp32 00000001 00000000 = 00000001
tgsi rcp fp32 80000000 = ff800000
tgsi rsq fp32 80000000 = ff800000
tgsi rsq fp32 c0800000 = nan
tgsi rsq fp32 00000001 = 64b504f3
tgsi log2 fp32 3f800000 = 00000000
tgsi log2 fp32 00000000 = ff800000
tgsi log2 fp32 80000000 = ff800000
tgsi log2 fp32 bf800000 = nan
tgsi lrp fp32 3f800000 3f800000 7f7fffff = 00000000
tgsi lrp fp32 3f000000 7f800000 7f800000 = nan
tgsi mad fp32 3f800003 3f800003 bf800006 = 00000000
tgsi pow fp32 7fc00000 00000000 = 3f800000
tgsi pow fp32 3f800000 7fc00000 = 3f800000
tgsi pow fp32 c0000000 40400000 = c1000000
tgsi lit.y fp32 7fc00000 = 00000000
tgsi lit.z fp32 7fc00000 3f000000 40000000 = 00000000
tgsi lit.z fp32 3f800000 7fc00000 40000000 = 00000000
tgsi lit.z fp32 3f800000 3f000000 7fc00000 = 00200000
tgsi lit.z fp32 7f800000 7f800000 40000000 = 7f800000
tgsi lit.z fp32 3f800000 00000000 00000000 = 3f800000
tgsi frac fp32 7f800000 = nan
tgsi frac fp32 b0000000 = 3f800000
tgsi sign fp32 7fc00000 = 00000000
tgsi sign fp32 80000000 = 00000000
tgsi rint fp32 40200000 = 40000000
tgsi fne fp32 7fc00000 7fc00000 = 1
tgsi fle fp32 7fc00000 7fc00000 = 0
tgsi f2i.trunc fp32 7fc00000 = 80000000
tgsi f2i.trunc fp32 4f800000 = 80000000
tgsi f2u.trunc fp32 bf800000 = ffffffff
tgsi f2u.trunc fp32 4f000000 = 80000000
tgsi pack.half2 fp32 477ff000 33000000 = 00007c00
tgsi min fp64 7ff8000000000000 3ff0000000000000 = 3ff0000000000000
tgsi add fp64.sat 7ff8000000000000 3ff0000000000000 = 0000000000000000
tgsi-mul-zero-wins mul fp32 00000000 7f800000 = 00000000
tgsi-mul-zero-wins mul fp32 80000000 7fc00000 = 00000000
tgsi-mul-zero-wins mad fp32 00000000 7f800000 3f800000 = 3f800000
tgsi-mul-zero-wins add fp32 7f800000 ff800000 = ffc00000

# The two references.
ieee mad fp32 3f800003 3f800003 bf800006 = 2a100000
ieee mad half 3c03 3c03 bc06 = 0090
ieee lrp fp32 3f800000 3f800000 7f7fffff = 3f800000
ieee add fp32 7f800001 ffc00000 = 7fc00001
ieee sqrt fp32 bf800000 = ffc00000
ieee add fp32 00000001 00000001 = 00000002
exact add fx12 4000000000000000 4000000000000000 = 4010000000000000
exact mul half 40effc0000000000 40effc0000000000 = 41eff80080000000
exact mad fp32 3ff0000060000000 3ff0000060000000 bff00000c0000000 = 3d42000000000000
exact bits.of fp32 3ff0000010000000 = 3f800000
exact cvt fp32<half 3e70000000000000 = 3e70000000000000
";

fn is_nan(word: u64, storage: Storage) -> bool {
    match storage {
        Storage::F16 => word & 0x7fff > 0x7c00,
        Storage::F32 => word & 0x7fff_ffff > 0x7f80_0000,
        Storage::F64 => word & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000,
        Storage::Fixed(_) => false,
    }
}

#[test]
fn documented_special_values_hold() {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in ROWS.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        rows += 1;
        let (left, expected) = line.split_once(" = ").expect(line);
        let mut words = left.split(' ');
        let model = Model::parse(words.next().expect(line)).expect(line);
        let op = Op::from_name(words.next().expect(line)).expect(line);
        let slot = words.next().expect(line);
        let (slot, source) = slot.split_once('<').unwrap_or((slot, ""));
        let slot = Slot::parse(slot).expect(line);
        let source = Decl::from_name(source).unwrap_or(slot.decl);
        let args: Vec<u64> = words.map(|w| u64::from_str_radix(w, 16).expect(line)).collect();
        assert_eq!(args.len(), op.info().args.len(), "{line}");
        let (rule, _) = model.rule(op, &slot, model.storage(source));
        let got = eval(op, &rule, &args);
        let holds = match expected {
            "nan" => is_nan(got, rule.storage),
            bits => got == u64::from_str_radix(bits, 16).expect(line),
        };
        if !holds {
            wrong.push(format!("{line}, not {got:x}"));
        }
    }
    assert!(rows > 200, "{rows}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
