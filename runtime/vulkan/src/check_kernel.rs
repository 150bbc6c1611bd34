//! Compares the module of a kernel on a device with the engine: every word of every buffer that it leaves.
//!
//! A device runs invocations at the same time and parallax in turn, so a kernel with races differs of its own accord.

use crate::Job;
use crate::check::{Compared, Comparison, Difference, buffers};
use crate::device::{Device, Failure};
use crate::sides::both_sides;
use parallax::{Compiled, Draw, run_kernel_with};
use parallax_spirv_out::Translation;

pub(crate) fn check(
    device: &Device,
    compiled: &Compiled,
    translation: &Translation,
    draw: &Draw,
) -> Result<Comparison, Failure> {
    let interface = &translation.interface;
    let bound = both_sides(interface, &draw.textures)?;
    let frame = run_kernel_with(compiled, draw, &*bound.ours).map_err(|problems| {
        let message = problems.diags.first().map_or("the kernel does not run", |diag| &diag.message);
        Failure::new(message.to_string())
    })?;
    if frame.out_of_fuel > 0 {
        let message =
            format!("some invocations do not leave their loops within {} iterations; a device may never", draw.fuel);
        return Err(Failure::new(message));
    }
    let (textures, images) = (bound.textures, bound.images);
    let buffers = buffers(interface, draw);
    let job = Job { words: &translation.words, grid: draw.grid, buffers, textures, images, ..Job::default() };
    let after = device.run(&job)?;
    let mut found = Comparison { of: Compared::Words, ..Comparison::default() };
    for (buffer, words) in interface.buffers.iter().zip(after.iter().skip(interface.banks.len())) {
        let wanted = &frame.buffers[buffer.buffer];
        found.pixels += wanted.len();
        let mut difference = None;
        for (n, (&expected, &got)) in wanted.iter().zip(words).enumerate() {
            if expected != got {
                Difference::add(&mut difference, &buffer.name, [n, 0], [expected, got]);
            }
        }
        found.differences.extend(difference);
    }
    found.counted = if interface.counter.is_some() { after.last().map_or(0, |words| words[0]) } else { 0 };
    Ok(found)
}
