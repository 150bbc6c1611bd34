//! Compares the module of a kernel on a device with the engine: every word of every buffer that it leaves.
//!
//! A device runs invocations at the same time and parallax in turn, so a kernel with races differs of its own accord.

use crate::Job;
use crate::check::{Compared, Comparison, Difference, buffers};
use crate::device::{Device, Failure};
use parallax::{Compiled, Control, Draw, Workers, run_draw};
use parallax_spirv_out::Translation;

pub(crate) fn check(
    device: &Device,
    compiled: &Compiled,
    translation: &Translation,
    draw: &Draw,
) -> Result<Comparison, Failure> {
    let interface = &translation.interface;
    if !interface.textures.is_empty() {
        return Err(Failure::new("kernels with textures are not compared yet".into()));
    }
    let frame = run_draw(compiled, draw, &Workers::serial(), Control::default()).map_err(|problems| {
        let message = problems.diags.first().map_or("the kernel does not run", |diag| &diag.message);
        Failure::new(message.to_string())
    })?;
    if frame.out_of_fuel > 0 {
        let message =
            format!("some invocations do not leave their loops within {} iterations; a device may never", draw.fuel);
        return Err(Failure::new(message));
    }
    let job = Job { words: &translation.words, grid: draw.grid, buffers: buffers(interface, draw), ..Job::default() };
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
