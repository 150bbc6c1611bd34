//! Where machine code is entered, and where it calls back.
#![allow(unsafe_code, reason = "code that was made at run time can be entered in no other way")]

use crate::code::Code;
#[cfg(target_arch = "x86_64")]
use crate::layout;
#[cfg(target_arch = "x86_64")]
use std::any::Any;
#[cfg(target_arch = "x86_64")]
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What is done when the code calls out: the arena, and the number of the site.
pub(crate) type Callback<'a> = &'a mut dyn FnMut(&mut [u64], u32);

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

/// Runs code on an arena that [`layout`] describes, whose pointers lead to memory that is large enough for the lanes it
/// names.
#[cfg(target_arch = "x86_64")]
pub(crate) fn enter(code: &Code, arena: &mut [u64], callback: Callback<'_>) {
    assert!(arena.len() * 8 >= layout::FIXED && arena.as_ptr().addr().is_multiple_of(64), "an arena of the layout");
    let (pointer, words) = (arena.as_mut_ptr(), arena.len());
    let mut host = Host { arena: pointer, words, callback, panic: None };
    let (host_word, helper_word) = (layout::HOST / 8, layout::HELPER / 8);
    arena[host_word] = (&raw mut host).expose_provenance() as u64;
    let helper: unsafe extern "sysv64" fn(*mut Host<'_>, u32) = call_back;
    arena[helper_word] = helper as usize as u64;
    // SAFETY: the bytes are a function of this signature made by `emit`, which keeps the registers that the convention asks
    // for. It reads and writes the arena, which is its alone, and what the pointers in it lead to; who filled them in
    // guarantees that all of it is there. `program` is the only caller.
    unsafe {
        let function: unsafe extern "sysv64" fn(*mut u64) = std::mem::transmute(code.bytes().as_ptr());
        function(pointer);
    }
    if let Some(panic) = host.panic {
        resume_unwind(panic);
    }
}

/// Nothing is ever compiled for other machines.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn enter(_: &Code, _: &mut [u64], _: Callback<'_>) {
    unreachable!("code for x86-64 is only made there");
}
