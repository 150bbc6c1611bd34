//! Where the flushing of tiny results is switched on and off.
//!
//! Flushing is a state of the processor. Most shaders want one state everywhere; the one most asked for is that of labels and
//! jumps, and between them it changes where an instruction asks for the other.

use crate::form::{Function, Inst, Op, Stream};
use parallax_step::{Mode, Prim};

/// The state an instruction asks for, if it looks at it.
fn wanted(op: Op) -> Option<bool> {
    match op {
        Op::Step(Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fdiv | Prim::Fma | Prim::Narrow, _, imm, _) => {
            Some(Mode::from_word(imm).is_some_and(|mode| mode.flush))
        }
        Op::Step(Prim::FaddOdd, ..) => Some(false),
        _ => None,
    }
}

/// Puts [`Op::Flushing`] where the state changes, and says which one is usual.
pub fn place_modes(function: &mut Function) {
    let (mut on, mut off) = (0usize, 0usize);
    for inst in function.prologue.code.iter().chain(&function.body.code) {
        match wanted(inst.op) {
            Some(true) => on += 1,
            Some(false) => off += 1,
            None => {}
        }
    }
    function.flushing = on > off;
    for stream in [&mut function.prologue, &mut function.body] {
        place(stream, function.flushing);
    }
}

fn place(stream: &mut Stream, usual: bool) {
    let mut placed: Vec<Inst> = Vec::with_capacity(stream.code.len());
    let mut state = usual;
    for &inst in &stream.code {
        let jumps = matches!(inst.op, Op::Label(_) | Op::Jump(_) | Op::JumpUnlessAny(_) | Op::JumpIfAny(_));
        if let Some(asked) = if jumps { Some(usual) } else { wanted(inst.op) }
            && asked != state
        {
            placed.push(Stream::bare(Op::Flushing(asked), inst.origin));
            state = asked;
        }
        placed.push(inst);
    }
    if state != usual {
        let origin = placed.last().map_or(0, |inst| inst.origin);
        placed.push(Stream::bare(Op::Flushing(usual), origin));
    }
    stream.set_code(placed);
}
