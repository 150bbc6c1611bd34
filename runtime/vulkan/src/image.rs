//! Images of a job, and texel buffers.
#![allow(unsafe_code, reason = "Vulkan is a C interface: every call of it is unsafe")]

use crate::device::{Binding, Device, Failure, Resource, failed};
use crate::made::Made;
use ash::vk;
use parallax_texture::Wrap;

/// How a module uses an image.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// A storage image.
    Storage,
    /// An image with a sampler that takes the nearest texel and repeats the image.
    Sampled,
    /// An image with levels and a sampler.
    Filtered(Filtering),
    /// An image without a sampler, of so many levels, whose texels follow one another as in [`Filtering::levels`].
    Fetched(u32),
    /// A storage texel buffer.
    StorageTexels,
    /// A uniform texel buffer.
    UniformTexels,
}

/// Levels of an image, and its sampler.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Filtering {
    /// Levels, whose texels follow one another, each half as wide and high, and half as deep where there is a depth.
    pub levels: u32,
    /// Whether texels are blended: magnified, minified.
    pub linear: [bool; 2],
    /// Whether two levels are blended.
    pub blends_levels: bool,
    /// What lies outside, along s, t and r; a border is transparent black.
    pub wrap: [Wrap; 3],
    /// Whether texels are compared: whether the reference is less or equal.
    pub compares: bool,
}

impl Filtering {
    fn sampler(&self) -> vk::SamplerCreateInfo<'static> {
        let filter = |linear: bool| if linear { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => vk::SamplerAddressMode::REPEAT,
            Wrap::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
            Wrap::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Wrap::Border => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        };
        let mip = if self.blends_levels { vk::SamplerMipmapMode::LINEAR } else { vk::SamplerMipmapMode::NEAREST };
        vk::SamplerCreateInfo::default()
            .mag_filter(filter(self.linear[0]))
            .min_filter(filter(self.linear[1]))
            .mipmap_mode(mip)
            .address_mode_u(wrap(self.wrap[0]))
            .address_mode_v(wrap(self.wrap[1]))
            .address_mode_w(wrap(self.wrap[2]))
            .compare_enable(self.compares)
            .compare_op(vk::CompareOp::LESS_OR_EQUAL)
            .max_lod(vk::LOD_CLAMP_NONE)
    }
}

/// An image of a job, or a texel buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// How the module uses it.
    pub used: Use,
    /// Dimension: 1, 2, 3, or 6 for a cube.
    pub dim: u32,
    /// Whether the last side is the number of layers, six of which are a cube.
    pub arrayed: bool,
    /// Width, height, depth or layers.
    pub size: [u32; 3],
    /// Format as GLSL spells it.
    pub format: &'static str,
    /// Its texels without gaps.
    pub words: Vec<u32>,
}

/// The format of Vulkan that GLSL spells so.
fn format(name: &str) -> Option<vk::Format> {
    use vk::Format as F;
    Some(match name {
        "rgba32f" => F::R32G32B32A32_SFLOAT,
        "rgba16f" => F::R16G16B16A16_SFLOAT,
        "r32f" => F::R32_SFLOAT,
        "rgba8" => F::R8G8B8A8_UNORM,
        // No formats of storage images: GLSL has no words for them.
        "srgb8" => F::R8G8B8A8_SRGB,
        "d32f" => F::D32_SFLOAT,
        "rgba8_snorm" => F::R8G8B8A8_SNORM,
        "rg32f" => F::R32G32_SFLOAT,
        "rg16f" => F::R16G16_SFLOAT,
        "r11f_g11f_b10f" => F::B10G11R11_UFLOAT_PACK32,
        "r16f" => F::R16_SFLOAT,
        "rgba16" => F::R16G16B16A16_UNORM,
        "rgb10_a2" => F::A2B10G10R10_UNORM_PACK32,
        "rg16" => F::R16G16_UNORM,
        "rg8" => F::R8G8_UNORM,
        "r16" => F::R16_UNORM,
        "r8" => F::R8_UNORM,
        "rgba16_snorm" => F::R16G16B16A16_SNORM,
        "rg16_snorm" => F::R16G16_SNORM,
        "rg8_snorm" => F::R8G8_SNORM,
        "r16_snorm" => F::R16_SNORM,
        "r8_snorm" => F::R8_SNORM,
        "rgba32i" => F::R32G32B32A32_SINT,
        "rgba16i" => F::R16G16B16A16_SINT,
        "rgba8i" => F::R8G8B8A8_SINT,
        "r32i" => F::R32_SINT,
        "rg32i" => F::R32G32_SINT,
        "rg16i" => F::R16G16_SINT,
        "rg8i" => F::R8G8_SINT,
        "r16i" => F::R16_SINT,
        "r8i" => F::R8_SINT,
        "rgba32ui" => F::R32G32B32A32_UINT,
        "rgba16ui" => F::R16G16B16A16_UINT,
        "rgba8ui" => F::R8G8B8A8_UINT,
        "r32ui" => F::R32_UINT,
        "rgb10_a2ui" => F::A2B10G10R10_UINT_PACK32,
        "rg32ui" => F::R32G32_UINT,
        "rg16ui" => F::R16G16_UINT,
        "rg8ui" => F::R8G8_UINT,
        "r16ui" => F::R16_UINT,
        "r8ui" => F::R8_UINT,
        _ => return None,
    })
}

/// An image and the buffer its texels come from and go to.
pub(crate) struct Copied {
    pub(crate) image: vk::Image,
    pub(crate) buffer: vk::Buffer,
    pub(crate) layers: u32,
    pub(crate) extent: vk::Extent3D,
    pub(crate) levels: u32,
    /// Bytes of a texel, where there are several levels.
    pub(crate) bytes: u64,
    /// Colour, or depth.
    pub(crate) aspect: vk::ImageAspectFlags,
}

impl Copied {
    fn range(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange::default().aspect_mask(self.aspect).level_count(self.levels).layer_count(self.layers)
    }

    fn copy(&self) -> Vec<vk::BufferImageCopy> {
        let mut offset = 0;
        let level = |level: u32| {
            let layers = vk::ImageSubresourceLayers::default().aspect_mask(self.aspect).layer_count(self.layers);
            let [width, height] = [self.extent.width, self.extent.height].map(|side| (side >> level).max(1));
            let depth = (self.extent.depth >> level).max(1);
            let extent = vk::Extent3D { width, height, depth };
            let copy = vk::BufferImageCopy::default().buffer_offset(offset).image_extent(extent);
            offset += u64::from(width * height * depth * self.layers) * self.bytes;
            copy.image_subresource(layers.mip_level(level))
        };
        (0..self.levels).map(level).collect()
    }

    /// Records the copy of its texels into it.
    pub(crate) fn fill(&self, device: &ash::Device, to: vk::CommandBuffer) {
        let general = vk::ImageLayout::GENERAL;
        let barrier = |from, source, target| {
            [vk::ImageMemoryBarrier::default()
                .old_layout(from)
                .new_layout(general)
                .src_access_mask(source)
                .dst_access_mask(target)
                .image(self.image)
                .subresource_range(self.range())]
        };
        let (all, none) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::DependencyFlags::empty());
        let (read, write) = (vk::AccessFlags::MEMORY_READ, vk::AccessFlags::MEMORY_WRITE);
        let first = barrier(vk::ImageLayout::UNDEFINED, vk::AccessFlags::empty(), write);
        let then = barrier(general, write, read | write);
        // SAFETY: the commands are being recorded; image and buffer live until the device is idle.
        unsafe {
            device.cmd_pipeline_barrier(to, all, all, none, &[], &[], &first);
            device.cmd_copy_buffer_to_image(to, self.buffer, self.image, general, &self.copy());
            device.cmd_pipeline_barrier(to, all, all, none, &[], &[], &then);
        }
    }

    /// Records the copy of its texels out of it.
    pub(crate) fn empty(&self, device: &ash::Device, to: vk::CommandBuffer) {
        let (all, none) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::DependencyFlags::empty());
        let (read, write) = (vk::AccessFlags::MEMORY_READ, vk::AccessFlags::MEMORY_WRITE);
        let barrier = [vk::MemoryBarrier::default().src_access_mask(write).dst_access_mask(read)];
        // SAFETY: as in `fill`.
        unsafe {
            device.cmd_pipeline_barrier(to, all, all, none, &barrier, &[], &[]);
            device.cmd_copy_image_to_buffer(to, self.image, vk::ImageLayout::GENERAL, self.buffer, &self.copy());
        }
    }
}

impl Device {
    /// An image with a buffer for its texels, or a texel buffer; the memory that holds its words after the job.
    pub(crate) fn image(
        &self,
        made: &mut Made<'_>,
        image: &Image,
    ) -> Result<(Binding, vk::DeviceMemory, Option<Copied>), Failure> {
        let Some(format) = format(image.format) else { return Err(Failure::new(format!("format {}", image.format))) };
        let (flags, ty) = match image.used {
            Use::Storage => (vk::BufferUsageFlags::empty(), vk::DescriptorType::STORAGE_IMAGE),
            Use::Sampled | Use::Filtered(_) => {
                (vk::BufferUsageFlags::empty(), vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
            }
            Use::Fetched(_) => (vk::BufferUsageFlags::empty(), vk::DescriptorType::SAMPLED_IMAGE),
            Use::StorageTexels => {
                (vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER, vk::DescriptorType::STORAGE_TEXEL_BUFFER)
            }
            Use::UniformTexels => {
                (vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER, vk::DescriptorType::UNIFORM_TEXEL_BUFFER)
            }
        };
        let both = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        let (buffer, memory) = self.filled(made, &image.words, flags | both)?;
        let (set, binding) = (image.set, image.binding);
        if let Use::StorageTexels | Use::UniformTexels = image.used {
            let wanted = vk::BufferViewCreateInfo::default().buffer(buffer).format(format).range(vk::WHOLE_SIZE);
            // SAFETY: as in `Device::open`; `made` destroys everything once it is idle.
            let view =
                unsafe { self.device.create_buffer_view(&wanted, None) }.map_err(failed("vkCreateBufferView"))?;
            made.buffer_views.push(view);
            return Ok((Binding { set, binding, ty, resource: Resource::Texels(view) }, memory, None));
        }
        let [width, height, last] = image.size;
        let (extent, layers) = match (image.dim, image.arrayed) {
            (3, _) => ([width, height, last], 1),
            (6, false) => ([width, height, 1], 6),
            (_, true) => ([width, height, 1], last),
            _ => ([width, height, 1], 1),
        };
        let [width, height, depth] = extent;
        let extent = vk::Extent3D { width, height, depth };
        let (of, view) = match (image.dim, image.arrayed) {
            (1, false) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D),
            (1, true) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D_ARRAY),
            (3, _) => (vk::ImageType::TYPE_3D, vk::ImageViewType::TYPE_3D),
            (6, false) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE),
            (6, true) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE_ARRAY),
            (_, false) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
            (_, true) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D_ARRAY),
        };
        let cube = if image.dim == 6 { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() };
        let (levels, sampler) = match image.used {
            Use::Filtered(filtering) => (filtering.levels, Some(filtering.sampler())),
            Use::Sampled => (1, Some(vk::SamplerCreateInfo::default())),
            Use::Fetched(levels) => (levels, None),
            _ => (1, None),
        };
        let side = |side: u32, n: u32| (side >> n).max(1);
        let texels: u64 =
            (0..levels).map(|n| u64::from(side(width, n) * side(height, n) * side(depth, n) * layers)).sum();
        let bytes = image.words.len() as u64 * 4 / texels.max(1);
        let copies = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        let usage =
            if image.used == Use::Storage { vk::ImageUsageFlags::STORAGE } else { vk::ImageUsageFlags::SAMPLED };
        let wanted = vk::ImageCreateInfo::default()
            .flags(cube)
            .image_type(of)
            .format(format)
            .extent(extent)
            .mip_levels(levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage | copies);
        let (tiling, all) = (vk::ImageTiling::OPTIMAL, usage | copies);
        // SAFETY: as above.
        let known = unsafe {
            self.instance.get_physical_device_image_format_properties(self.physical, format, of, tiling, all, cube)
        };
        known.map(drop).map_err(failed(&format!("images of {} sides in the format {}", image.dim, image.format)))?;
        // SAFETY: as above.
        let handle = unsafe { self.device.create_image(&wanted, None) }.map_err(failed("vkCreateImage"))?;
        made.images.push(handle);
        // SAFETY: as above.
        let needs = unsafe { self.device.get_image_memory_requirements(handle) };
        let own = self.allocate(made, needs, vk::MemoryPropertyFlags::empty())?;
        // SAFETY: the image and its memory are new and fit each other.
        unsafe { self.device.bind_image_memory(handle, own, 0) }.map_err(failed("vkBindImageMemory"))?;
        let aspect = match format {
            vk::Format::D32_SFLOAT => vk::ImageAspectFlags::DEPTH,
            _ => vk::ImageAspectFlags::COLOR,
        };
        let copied = Copied { image: handle, buffer, layers, extent, levels, bytes, aspect };
        let wanted = vk::ImageViewCreateInfo::default()
            .image(handle)
            .view_type(view)
            .format(format)
            .subresource_range(copied.range());
        // SAFETY: as above.
        let view = unsafe { self.device.create_image_view(&wanted, None) }.map_err(failed("vkCreateImageView"))?;
        made.views.push(view);
        let sampler = match sampler {
            None => vk::Sampler::null(),
            Some(wanted) => {
                // SAFETY: as above.
                let sampler =
                    unsafe { self.device.create_sampler(&wanted, None) }.map_err(failed("vkCreateSampler"))?;
                made.samplers.push(sampler);
                sampler
            }
        };
        Ok((Binding { set, binding, ty, resource: Resource::Image(view, sampler) }, memory, Some(copied)))
    }
}
