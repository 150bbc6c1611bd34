//! Images in buffers: what a draw or a dispatch says of them.

use crate::draw::{SAMPLES, texture_size};
use crate::problem::invalid;
use parallax_core::exec::{ImageLayout, Textures};
use parallax_core::{Func, ImageDecl, ImageShape, OpKind, TexTarget};
use parallax_text::Diag;
use parallax_texture::TextureSet;

/// Texels of a texel buffer that nobody gives.
const BUFFER_TEXELS: u32 = 1 << 10;

/// The shape of a lookup in such an image; `None` of a texel buffer.
pub(crate) fn target(shape: ImageShape) -> Option<TexTarget> {
    Some(match shape {
        ImageShape::Buffer => return None,
        ImageShape::D1 => TexTarget::D1,
        ImageShape::D2 => TexTarget::D2,
        ImageShape::D3 => TexTarget::D3,
        ImageShape::Cube => TexTarget::Cube,
        ImageShape::Rect => TexTarget::Rect,
        ImageShape::D1Array => TexTarget::D1Array,
        ImageShape::D2Array => TexTarget::D2Array,
        ImageShape::CubeArray => TexTarget::CubeArray,
        ImageShape::D2Samples => TexTarget::D2Samples,
        ImageShape::D2SamplesArray => TexTarget::D2SamplesArray,
    })
}

/// The size and format that an image has without further words.
pub(crate) fn default_image(decl: &ImageDecl) -> ImageLayout {
    let size = target(decl.shape).and_then(|target| texture_size(target, &[]).ok());
    let is_multisampled = matches!(decl.shape, ImageShape::D2Samples | ImageShape::D2SamplesArray);
    ImageLayout {
        format: decl.format,
        size: size.unwrap_or([BUFFER_TEXELS, 1, 1]),
        samples: if is_multisampled { SAMPLES } else { 1 },
    }
}

/// Images that a program uses and nobody gives, and those of another format than it says.
pub(crate) fn check_images(func: &Func, textures: &TextureSet) -> Vec<Diag> {
    let mut used = vec![false; func.iface.buffers.len()];
    func.walk(|_, op| {
        if let OpKind::ImageAddress { buffer } | OpKind::ImageSize { buffer, .. } = func.ops[op].kind
            && let Some(used) = used.get_mut(usize::from(buffer))
        {
            *used = true;
        }
    });
    let mut diags = Vec::new();
    let declared = (0u16..).zip(&func.iface.buffers).zip(used).filter(|(_, used)| *used);
    for ((buffer, name, decl), _) in declared.filter_map(|((n, b), used)| Some(((n, &b.name, b.image?), used))) {
        match textures.image(buffer) {
            None => {
                let help = format!("give `{name}` with its width, and height where it has one");
                diags.push(invalid("draw-image", format!("no image is given for `{name}`")).with_help(help));
            }
            Some(image) if !decl.any_format && image.format != decl.format => {
                let (found, asked) = (image.format.name(), decl.format.name());
                diags.push(invalid(
                    "draw-image-format",
                    format!("image `{name}` is {found}; the program reads {asked}"),
                ));
            }
            Some(image) if image.format.is_long() != decl.format.is_long() => {
                let (found, asked) = (image.format.name(), if decl.format.is_long() { 64 } else { 32 });
                diags.push(invalid(
                    "draw-image-format",
                    format!("image `{name}` is {found}; the program reads components of {asked} bits at most"),
                ));
            }
            Some(_) => {}
        }
    }
    diags
}
