//! Cranelift's builder: instructions on variables, which it turns into SSA.

use crate::Work;
use cranelift_codegen::ir::types::F32X4;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, UserFuncName};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig, lookup_by_name};
use cranelift_codegen::settings::{Flags, builder};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use std::hint::black_box;

/// Instructions of arithmetic.
const COUNT: u32 = 3000;
/// Variables, as a program has registers.
const REGISTERS: u32 = 32;

fn build(context: &mut FunctionBuilderContext, config: TargetFrontendConfig) -> Function {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params = vec![AbiParam::new(F32X4); 4];
    signature.returns = vec![AbiParam::new(F32X4)];
    let mut function = Function::with_name_signature(UserFuncName::default(), signature);
    let mut builder = FunctionBuilder::new(&mut function, context);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    builder.seal_block(block);
    let variables: Vec<Variable> = (0..REGISTERS).map(|_| builder.declare_var(F32X4)).collect();
    for (n, variable) in variables.iter().enumerate() {
        let parameter = builder.block_params(block)[n % 4];
        builder.def_var(*variable, parameter);
    }
    let at = |n: u32| variables[(n % REGISTERS) as usize];
    for n in 0..COUNT {
        let (a, b) = (builder.use_var(at(n)), builder.use_var(at(5 * n + 7)));
        let value = match n % 3 {
            0 => builder.ins().fmul(a, b),
            1 => builder.ins().fadd(a, b),
            _ => {
                let c = builder.use_var(at(3 * n + 1));
                builder.ins().fma(a, b, c)
            }
        };
        builder.def_var(at(7 * n + 3), value);
    }
    let last = builder.use_var(at(0));
    builder.ins().return_(&[last]);
    builder.finalize(config);
    function
}

/// Builds a function.
pub(crate) fn work() -> Work {
    let host = lookup_by_name("x86_64").expect("a target").finish(Flags::new(builder())).expect("a target");
    let (mut context, config) = (FunctionBuilderContext::new(), host.frontend_config());
    let instructions = build(&mut context, config).dfg.num_insts() as u64;
    Work::new("Cranelift's builder", instructions, move || {
        black_box(build(&mut context, config));
    })
}
