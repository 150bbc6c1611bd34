//! Where machine code is entered, and where it calls back.
#![allow(unsafe_code, reason = "code that was made at run time can be entered in no other way")]

use crate::code::Code;
use crate::host;
#[cfg(target_arch = "x86_64")]
use crate::layout;
#[cfg(target_arch = "x86_64")]
use std::any::Any;
#[cfg(target_arch = "x86_64")]
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What is done when the code calls out: the arena, and the number of the site.
type Callback<'a> = &'a mut dyn FnMut(&mut [u64], u32);

/// What a call back needs.
#[cfg(target_arch = "x86_64")]
struct Host<'a> {
    arena: *mut u64,
    words: usize,
    callback: Callback<'a>,
    /// A panic on its way: it may not pass through the code.
    panic: Option<Box<dyn Any + Send>>,
}

/// Called by the code.
///
/// # Safety
/// `host` is what [`enter`] put into the arena; the code has stopped.
#[cfg(target_arch = "x86_64")]
unsafe extern "sysv64" fn call_back(host: *mut Host<'_>, site: u32) {
    // SAFETY: `enter` made it and waits for the code; nobody else holds it.
    let host = unsafe { &mut *host };
    if host.panic.is_some() {
        return;
    }
    // SAFETY: the arena that `enter` was given, as long as it was; the code does not run meanwhile.
    let arena = unsafe { std::slice::from_raw_parts_mut(host.arena, host.words) };
    let callback = &mut host.callback;
    host.panic = catch_unwind(AssertUnwindSafe(|| callback(arena, site))).err();
}

/// Runs the code of a program on the arena of a [`Space`](crate::program::Space) of it, and serves its calls. Attributes,
/// system values, outputs and tables must be set for the lanes of this run.
pub(crate) fn run(host: &mut host::Host<'_, '_>, arena: &mut [u64]) {
    let program = host.program;
    // SAFETY: programs are made by `emit` alone, and `Space::new` makes and fills in the arena for the program. There are two
    // callers, `Space::part` and `Space::enter`, which fill in the pointers on the way here:
    // - Attributes and system values lead to slices of as many words as there are lanes, because `batch` lengthens what is too
    //   short, or to a copy that fills whole blocks. So do the columns of pixels, which only shaders with attributes read.
    // - Outputs lead to slices cut to as many lanes, of planes of the type that the program writes, or to memory for whole
    //   blocks; for tiles `fits` has checked how long they are.
    // - Buffers were described by `start`, and again by the host whenever it changed one: as many words as there are, none to be
    //   changed where memory is shared. Frames are as many and as large as `Frames::start` made them for the program.
    // - Code for whole workgroups leaves out checks that `Granted::holds` has made for this batch: places in the workgroup are those
    //   that its addresses were computed for, and buffers have as many words; `Frames::room` has made a frame for each of its turns.
    // - Tables and images were described by `start` from the inputs; what is not sound or does not fit has a null pointer,
    //   which the code does not follow.
    // The callers hold all of it, shared what is read and exclusively what is written, until this function returns; buffers that
    // are written through `Host::memory`, which nobody else uses.
    unsafe { enter(&program.code, arena, &mut |arena, site| host.call(arena, site)) }
}

/// Runs code on the arena that its layout describes.
///
/// # Safety
/// - `code` was made by `emit`.
/// - `arena` is the arena of the layout that `code` was emitted for, as [`Layout::fill`](crate::layout::Layout::fill) fills it.
/// - Every pointer in it that the code reads or writes through leads to memory for the lanes that it names, of the width of
///   the attribute, system value, output, table, image, buffer or frame that it stands for. This memory stays until the code returns;
///   nobody else uses what is written, and nobody writes what is read.
#[cfg(target_arch = "x86_64")]
unsafe fn enter(code: &Code, arena: &mut [u64], callback: Callback<'_>) {
    assert!(arena.len() * 8 >= layout::FIXED && arena.as_ptr().addr().is_multiple_of(64), "an arena of the layout");
    let mut host = Host { arena: std::ptr::null_mut(), words: arena.len(), callback, panic: None };
    let host_pointer = &raw mut host;
    let helper: unsafe extern "sysv64" fn(*mut Host<'_>, u32) = call_back;
    arena[layout::HOST / 8] = host_pointer.expose_provenance() as u64;
    arena[layout::HELPER / 8] = helper as usize as u64;
    // From here on the arena is used through this pointer alone.
    let pointer = arena.as_mut_ptr();
    // SAFETY: `host` lives until the end of this function, and only this pointer leads to it until the code returns. The
    // bytes are a function of this signature, which keeps the registers that the convention asks for. It reads and writes
    // the arena, which is borrowed for it alone, and what the pointers in it lead to; the caller guarantees that.
    unsafe {
        (*host_pointer).arena = pointer;
        let function: unsafe extern "sysv64" fn(*mut u64) = std::mem::transmute(code.bytes().as_ptr());
        function(pointer);
    }
    if let Some(panic) = host.panic {
        resume_unwind(panic);
    }
}

/// Nothing is ever compiled for other machines.
///
/// # Safety
/// None is needed.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn enter(_: &Code, _: &mut [u64], _: Callback<'_>) {
    unreachable!("code for x86-64 is only made there");
}
