//! Small hand-made shaders and batches for the tests.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part")]

use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs, Textures};
use parallax_core::num::{Decl, Model, Op, Slot};
use parallax_core::{
    AttrDecl, AttrSemantic, BankDecl, Bound, Builder, Func, Interp, Location, OpId, OpKind, OutputDecl, OutputRole,
    RegionId, Shader, SlotId, Stage, TexTarget, Type, ValueId, verify,
};
use parallax_interp::Bytecode;

/// Builds functions: integers in, integers out, through attributes and outputs 0 to 3.
pub struct Kit<'f> {
    pub b: Builder<'f>,
    /// Plain binary32.
    pub f32: SlotId,
}

/// A bound shader whose body `build` fills; the terminator is added.
pub fn shader(build: impl FnOnce(&mut Kit<'_>)) -> Shader<Bound> {
    shader_under("ieee", build)
}

pub fn shader_under(model: &str, build: impl FnOnce(&mut Kit<'_>)) -> Shader<Bound> {
    let mut func = Func::new("test", "test", Stage::Fragment);
    for n in 0..4 {
        func.iface.attrs.to_mut().push(AttrDecl {
            name: format!("i{n}"),
            semantic: AttrSemantic::Preset,
            interp: Interp::Flat,
            location: Location::Center,
            mediump: false,
        });
        let types = [None; 4];
        func.iface.outputs.push(OutputDecl { name: format!("o{n}"), role: OutputRole::Color(n), types });
    }
    func.iface.banks.push(BankDecl { name: "c".into(), len: 4, by_bytes: false });
    let slot = func.slot(Slot::plain(Decl::F32));
    let body = func.body;
    let mut kit = Kit { b: Builder::at(&mut func, body), f32: slot };
    build(&mut kit);
    kit.b.op(OpKind::Yield, None, &[], &[]);
    Shader::new(func).bind(&Model::builtin(model).expect("a built-in model"))
}

impl Kit<'_> {
    /// Raw bits of attribute `index`, component x.
    pub fn attr(&mut self, index: u16) -> ValueId {
        self.b.read_bits(OpKind::Attr { index, comp: 0 }, &[])
    }

    pub fn i32(&mut self, value: u32) -> ValueId {
        self.b.i32(value)
    }

    pub fn int(&mut self, op: Op, a: ValueId, b: ValueId) -> ValueId {
        self.b.int(op, &[a, b])
    }

    /// Writes component x of output `index`.
    pub fn out(&mut self, index: u16, value: ValueId) {
        let ty = self.b.func.ty(value);
        self.b.func.iface.outputs[usize::from(index)].types[0] = Some(ty);
        self.b.op(OpKind::Out { index, comp: 0 }, None, &[value], &[]);
    }

    pub fn yields(&mut self, values: &[ValueId]) {
        self.b.op(OpKind::Yield, None, values, &[]);
    }

    pub fn breaks(&mut self, target: OpId, values: &[ValueId]) {
        self.b.op(OpKind::Break(target), None, values, &[]);
    }

    pub fn continues(&mut self, target: OpId, values: &[ValueId]) {
        self.b.op(OpKind::Continue(target), None, values, &[]);
    }

    fn inside(&mut self, region: RegionId, fill: impl FnOnce(&mut Self)) {
        let outer = self.b.switch_to(region);
        fill(self);
        self.b.switch_to(outer);
    }

    fn control(&mut self, kind: OpKind, args: &[ValueId], initial: &[ValueId], regions: &[RegionId]) -> OpId {
        let types: Vec<Type> = initial.iter().map(|&v| self.b.func.ty(v)).collect();
        self.b.op_with_regions(kind, None, &[args, initial].concat(), regions, &types)
    }

    /// An `if` with a result for each initial operand and arms that end themselves.
    pub fn if_else(
        &mut self,
        pred: ValueId,
        initial: &[ValueId],
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) -> Vec<ValueId> {
        let regions = [self.b.new_region(), self.b.new_region()];
        let op = self.control(OpKind::If, &[pred], initial, &regions);
        self.inside(regions[0], yes);
        self.inside(regions[1], no);
        self.b.func.ops[op].results.to_vec()
    }

    /// An `if` without results whose second arm is empty; the first ends itself.
    pub fn when(&mut self, pred: ValueId, yes: impl FnOnce(&mut Self)) {
        self.if_else(pred, &[], yes, |k| k.yields(&[]));
    }

    /// A loop; `body` gets its id and parameters and ends itself.
    pub fn looped(
        &mut self,
        first: &[ValueId],
        initial: &[ValueId],
        body: impl FnOnce(&mut Self, OpId, &[ValueId]),
    ) -> Vec<ValueId> {
        let region = self.b.new_region();
        let op = self.control(OpKind::Loop, first, initial, &[region]);
        let params: Vec<ValueId> = first
            .iter()
            .map(|&v| {
                let ty = self.b.func.ty(v);
                self.b.func.add_param(region, ty)
            })
            .collect();
        self.inside(region, |k| body(k, op, &params));
        self.b.func.ops[op].results.to_vec()
    }

    /// A block; `body` gets its id and ends itself.
    pub fn block(&mut self, initial: &[ValueId], body: impl FnOnce(&mut Self, OpId)) -> Vec<ValueId> {
        let region = self.b.new_region();
        let op = self.control(OpKind::Block, &[], initial, &[region]);
        self.inside(region, |k| body(k, op));
        self.b.func.ops[op].results.to_vec()
    }

    pub fn texture(&mut self, unit: u16, target: TexTarget) {
        self.b.func.iface.textures.push(parallax_core::TexDecl { unit, target });
    }
}

/// A batch: component x of attributes 0 to 3 per lane.
#[derive(Clone, Default)]
pub struct Batch {
    pub attrs: [Vec<u32>; 4],
    pub covered: Vec<bool>,
    pub bank: Vec<[u32; 4]>,
    pub fuel: Option<u32>,
}

impl Batch {
    /// All lanes covered; attribute 0 as given.
    pub fn new(words: &[u32]) -> Batch {
        let attrs = [words.to_vec(), Vec::new(), Vec::new(), Vec::new()];
        Batch { attrs, covered: vec![true; words.len()], ..Batch::default() }
    }

    pub fn with(mut self, attr: usize, words: &[u32]) -> Batch {
        self.attrs[attr] = words.to_vec();
        self
    }

    pub fn lanes(&self) -> usize {
        self.covered.len()
    }

    /// The batch with lane `l` taken from lane `from[l]`.
    pub fn select(&self, from: &[usize]) -> Batch {
        let attrs =
            self.attrs.clone().map(|row| if row.is_empty() { row } else { from.iter().map(|&l| row[l]).collect() });
        Batch { attrs, covered: from.iter().map(|&l| self.covered[l]).collect(), ..self.clone() }
    }

    pub fn run_with<R>(&self, textures: &dyn Textures, job: impl FnOnce(&Inputs<'_>) -> R) -> R {
        let lanes = self.lanes();
        let mut attrs = vec![0; 16 * lanes];
        for (n, row) in self.attrs.iter().enumerate() {
            attrs[n * 4 * lanes..][..row.len()].copy_from_slice(row);
        }
        job(&Inputs {
            lanes,
            attrs: &attrs,
            banks: &[&self.bank],
            sysvals: &[],
            covered: &self.covered,
            textures,
            interpolator: &NoInterpolator,
            fuel: self.fuel.unwrap_or(FUEL),
        })
    }

    /// By the interpreter, which has to agree with the reference executor.
    pub fn run(&self, shader: &Shader<Bound>) -> Outputs {
        let program = program(shader);
        let (mut outputs, mut wanted) = (Outputs::default(), Outputs::default());
        self.run_with(&NoTextures, |inputs| {
            program.run(inputs, &mut outputs);
            parallax_reference::run(verify(shader).expect("sound"), inputs, Memory::NONE, &mut wanted);
        });
        assert_eq!(outputs, wanted);
        outputs
    }
}

pub fn program(shader: &Shader<Bound>) -> Bytecode {
    Bytecode::new(verify(shader).unwrap_or_else(|diags| panic!("{diags:#?}")))
}

/// One whose ops are reported.
pub fn traced_program(shader: &Shader<Bound>) -> Bytecode {
    Bytecode::traced(verify(shader).unwrap_or_else(|diags| panic!("{diags:#?}")))
}

/// Component x of output `index`.
pub fn out(outputs: &Outputs, index: usize) -> Vec<u64> {
    outputs.planes[index * 4].to_words()
}
