//! What the allocator of the process does with memory that a translation freed.

/// Makes the allocator keep what one translation frees for the next, up to 1 GB, for whoever translates many programs. glibc gives freed
/// memory back to the system and asks for it again, which takes a third of the time of long programs. Other allocators stay as they
/// are.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::keep(1 << 30);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    /// Blocks of less than `bytes` come from the heap, whose end stays until so much of it is free.
    #[allow(unsafe_code, reason = "mallopt is a C function")]
    pub(super) fn keep(bytes: std::ffi::c_int) {
        // SAFETY: it sets two numbers of the allocator, under the allocator's lock, and takes any values.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, bytes);
            libc::mallopt(libc::M_TRIM_THRESHOLD, bytes);
        }
    }
}
