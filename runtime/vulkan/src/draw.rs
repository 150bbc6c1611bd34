//! Draws: a vertex and a fragment module, and what they leave in colour targets, depth and stencil.
#![allow(unsafe_code, reason = "Vulkan is a C interface: every call of it is unsafe")]

use crate::device::{Binding, Device, Failure, Resource, failed};
use crate::made::Made;
use crate::{Buffer, Image, Use};
use ash::vk;
use parallax::{Blend, BlendTerm, Equation, Factor};
use parallax_texture::Compare;
use std::time::Duration;

/// A draw of triangles, three vertices each, which neither stage is given a buffer of: the vertex module reads them by their
/// number.
#[derive(Clone, Debug)]
pub struct DrawJob<'a> {
    /// The vertex module; its entry point is `main`.
    pub vertex: &'a [u32],
    /// The fragment module; its entry point is `main`.
    pub fragment: &'a [u32],
    /// Number of vertices.
    pub vertices: u32,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// What colour targets hold.
    pub targets: TargetKind,
    /// Colour targets: locations 0 to this number, the last left out. Where the fragment module writes none, its words are zeros.
    pub colours: u32,
    /// Depths of z = 0 and z = w, between 0 and 1.
    pub depths: [f32; 2],
    /// Whether what lies before or behind these depths is drawn with the depth of the limit, not cut away.
    pub clamps_depth: bool,
    /// Buffers that the modules are bound to.
    pub buffers: Vec<Buffer>,
    /// Textures that they are bound to.
    pub textures: Vec<Texture>,
    /// Images with levels and a sampler that they are bound to.
    pub images: Vec<Image>,
    /// How colours are blended with the background, which targets hold before; without it they hold zeros and are overwritten.
    pub blend: Option<Blend>,
}

/// What a colour target holds; four words of each pixel are read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// Binary32 numbers.
    Float,
    /// Unsigned integers.
    Word,
    /// Bytes from 0 to 1, as the device rounds them; words from 0 to 255.
    Byte,
}

impl TargetKind {
    const fn format(self) -> vk::Format {
        match self {
            TargetKind::Float => vk::Format::R32G32B32A32_SFLOAT,
            TargetKind::Word => vk::Format::R32G32B32A32_UINT,
            TargetKind::Byte => vk::Format::R8G8B8A8_UNORM,
        }
    }

    /// Words of a pixel in memory.
    const fn words(self) -> usize {
        match self {
            TargetKind::Float | TargetKind::Word => 4,
            TargetKind::Byte => 1,
        }
    }

    fn pixels(self, words: &[u32]) -> Vec<[u32; 4]> {
        match self {
            TargetKind::Float | TargetKind::Word => words.as_chunks().0.to_vec(),
            TargetKind::Byte => words.iter().map(|word| word.to_le_bytes().map(u32::from)).collect(),
        }
    }
}

/// An image and its sampler, which takes the nearest texel of the only level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Descriptor set.
    pub set: u32,
    /// Binding of the image.
    pub image: u32,
    /// Binding of the sampler.
    pub sampler: u32,
    /// Dimension: 1, 2, 3, or 6 for a cube.
    pub dim: u32,
    /// Whether the last side is the number of layers, six of which are a cube.
    pub arrayed: bool,
    /// Width, height, depth or layers.
    pub size: [u32; 3],
    /// Four binary32 patterns for each texel, row by row; one where texels are compared.
    pub words: Vec<u32>,
    /// Whether these are integers, and no patterns.
    pub integers: bool,
    /// How a reference is compared with texels, which are depths then.
    pub compare: Option<Compare>,
    /// What lies outside, along each direction.
    pub wrap: [Wrapping; 3],
    /// What a border has: zeros, black or white.
    pub border: Border,
}

/// What lies outside of an image.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wrapping {
    /// The image again.
    Repeat,
    /// The image again, every second time mirrored.
    Mirror,
    /// The nearest texel of the edge.
    Clamp,
    /// The border.
    Border,
}

/// What a border has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Border {
    /// Four zeros.
    Transparent,
    /// Three zeros and a one.
    Black,
    /// Four ones.
    White,
}

/// What a draw leaves, pixel by pixel from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Four words of each pixel, of each colour target.
    pub colours: Vec<Vec<[u32; 4]>>,
    /// Depths, binary32 patterns.
    pub depth: Vec<u32>,
    /// Pixels that some triangle covers and whose fragment was not discarded.
    pub covered: Vec<bool>,
    /// Words of the buffers afterwards.
    pub buffers: Vec<Vec<u32>>,
}

/// Depth and stencil: the stencil says which pixels were written.
const DEPTH: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;

/// An image that is drawn to, and how it gets to the host.
struct Attachment {
    image: vk::Image,
    view: vk::ImageView,
    format: vk::Format,
}

impl Device {
    /// Whether it draws: it has a queue for that, and a format for depth and stencil.
    pub fn can_draw(&self) -> bool {
        // SAFETY: as in `open`.
        let known = unsafe { self.instance.get_physical_device_format_properties(self.physical, DEPTH) };
        self.draws && known.optimal_tiling_features.contains(vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT)
    }

    /// Draws.
    ///
    /// # Errors
    /// What the driver refuses; a device that does not draw.
    pub fn draw(&self, job: &DrawJob<'_>) -> Result<Drawn, Failure> {
        Ok(self.draw_again(job, 1)?.0)
    }

    /// Draws several times, and how long the quickest took; drivers finish shaders when they draw first. Buffers are those after all.
    ///
    /// # Errors
    /// As [`Device::draw`].
    pub fn draw_again(&self, job: &DrawJob<'_>, times: u32) -> Result<(Drawn, Duration), Failure> {
        if !self.can_draw() {
            return Err(Failure::new("the device does not draw, or has no depth of 32 bits with a stencil".into()));
        }
        let mut made = Made::new(&self.device);
        let (mut bound, mut memories, mut copied) = (Vec::new(), Vec::new(), Vec::new());
        for buffer in &job.buffers {
            let (binding, memory) = self.buffer(&mut made, buffer)?;
            bound.push(binding);
            memories.push((memory, buffer.words.len()));
        }
        for texture in &job.textures {
            copied.push(self.texture(&mut made, texture, &mut bound)?);
        }
        for image in &job.images {
            let (binding, _, image) = self.image(&mut made, image)?;
            bound.push(binding);
            copied.extend(image);
        }
        let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
        let (layout, sets) = self.descriptors(&mut made, stages, 0, &bound)?;
        let formats: Vec<_> = (0..job.colours).map(|_| job.targets.format()).chain([DEPTH]).collect();
        let attachments: Vec<Attachment> =
            formats.iter().map(|&format| self.attachment(&mut made, job.size, format)).collect::<Result<_, _>>()?;
        let pass = self.pass(&mut made, &attachments)?;
        let pipeline = self.draw_pipeline(&mut made, job, layout, pass)?;
        let views: Vec<_> = attachments.iter().map(|attachment| attachment.view).collect();
        let [width, height] = job.size;
        let wanted = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&views)
            .width(width)
            .height(height)
            .layers(1);
        // SAFETY: as in `Device::open`, here and below; `made` destroys everything once it is idle.
        let framebuffer =
            unsafe { self.device.create_framebuffer(&wanted, None) }.map_err(failed("vkCreateFramebuffer"))?;
        made.framebuffers.push(framebuffer);

        // Where the host finds what was drawn: of each colour some words, of depth one, of the stencil a byte.
        let pixels = width as usize * height as usize;
        let color = vk::ImageAspectFlags::COLOR;
        let mut parts: Vec<(usize, vk::ImageAspectFlags, usize)> =
            (0..job.colours as usize).map(|n| (n, color, job.targets.words() * pixels)).collect();
        parts.push((job.colours as usize, vk::ImageAspectFlags::DEPTH, pixels));
        parts.push((job.colours as usize, vk::ImageAspectFlags::STENCIL, pixels.div_ceil(4)));
        let mut read = Vec::new();
        for &(_, _, words) in &parts {
            let (buffer, memory) = self.filled(&mut made, &vec![0; words], vk::BufferUsageFlags::TRANSFER_DST)?;
            read.push((buffer, memory, words));
        }
        let device = &self.device;
        let clear: Vec<_> = (0..=job.colours)
            .map(|n| match n == job.colours {
                true => vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: 1.0, stencil: 0 } },
                false => vk::ClearValue {
                    color: job.blend.map_or(vk::ClearColorValue { uint32: [0; 4] }, |blend| vk::ClearColorValue {
                        float32: blend.background,
                    }),
                },
            })
            .collect();
        let extent = vk::Extent2D { width, height };
        let begin = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(framebuffer)
            .render_area(vk::Rect2D { offset: vk::Offset2D::default(), extent })
            .clear_values(&clear);
        let written = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ)];
        let took =
            self.submit(&mut made, times, |to| {
                copied.iter().for_each(|image| image.fill(device, to));
                // SAFETY: the commands are being recorded; everything they name lives until `made` is dropped.
                unsafe {
                    device.cmd_begin_render_pass(to, &begin, vk::SubpassContents::INLINE);
                    device.cmd_bind_pipeline(to, vk::PipelineBindPoint::GRAPHICS, pipeline);
                    if !sets.is_empty() {
                        device.cmd_bind_descriptor_sets(to, vk::PipelineBindPoint::GRAPHICS, layout, 0, &sets, &[]);
                    }
                    device.cmd_draw(to, job.vertices, 1, 0, 0);
                    device.cmd_end_render_pass(to);
                    let all = vk::PipelineStageFlags::ALL_COMMANDS;
                    device.cmd_pipeline_barrier(to, all, all, vk::DependencyFlags::empty(), &written, &[], &[]);
                    for (&(attachment, aspect, _), &(buffer, ..)) in parts.iter().zip(&read) {
                        let layers = vk::ImageSubresourceLayers::default().aspect_mask(aspect).layer_count(1);
                        let region = vk::BufferImageCopy::default()
                            .image_subresource(layers)
                            .image_extent(vk::Extent3D { width, height, depth: 1 });
                        let source = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
                        device.cmd_copy_image_to_buffer(to, attachments[attachment].image, source, buffer, &[region]);
                    }
                }
            })?;
        let words: Vec<Vec<u32>> =
            read.into_iter().map(|(_, memory, count)| self.read(memory, count)).collect::<Result<_, _>>()?;
        let buffers = memories.into_iter().map(|(memory, count)| self.read(memory, count)).collect::<Result<_, _>>()?;
        let mut words = words.into_iter();
        let colours = words.by_ref().take(job.colours as usize).map(|plane| job.targets.pixels(&plane)).collect();
        let depth = words.next().unwrap_or_default();
        let stencil = words.next().unwrap_or_default();
        let covered = stencil.iter().flat_map(|word| word.to_ne_bytes()).take(pixels).map(|byte| byte != 0).collect();
        Ok((Drawn { colours, depth, covered, buffers }, took))
    }

    /// A texture; adds the bindings of image and sampler.
    pub(crate) fn texture(
        &self,
        made: &mut Made<'_>,
        texture: &Texture,
        bound: &mut Vec<Binding>,
    ) -> Result<crate::image::Copied, Failure> {
        let image = Image {
            set: texture.set,
            binding: texture.image,
            used: Use::Sampled,
            dim: texture.dim,
            arrayed: texture.arrayed,
            size: texture.size,
            format: match texture.integers {
                true => "rgba32ui",
                false if texture.compare.is_some() => "d32f",
                false => "rgba32f",
            },
            words: texture.words.clone(),
        };
        let (binding, _, copied) = self.image(made, &image)?;
        let [u, v, w] = texture.wrap.map(|wrap| match wrap {
            Wrapping::Repeat => vk::SamplerAddressMode::REPEAT,
            Wrapping::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
            Wrapping::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Wrapping::Border => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        });
        let border = match texture.border {
            Border::Transparent if texture.integers => vk::BorderColor::INT_TRANSPARENT_BLACK,
            Border::Transparent => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            Border::Black => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            Border::White => vk::BorderColor::FLOAT_OPAQUE_WHITE,
        };
        let compare = texture.compare.map_or(vk::CompareOp::NEVER, |compare| match compare {
            Compare::Never => vk::CompareOp::NEVER,
            Compare::Less => vk::CompareOp::LESS,
            Compare::Equal => vk::CompareOp::EQUAL,
            Compare::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
            Compare::Greater => vk::CompareOp::GREATER,
            Compare::NotEqual => vk::CompareOp::NOT_EQUAL,
            Compare::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
            Compare::Always => vk::CompareOp::ALWAYS,
        });
        let wanted = vk::SamplerCreateInfo::default()
            .address_mode_u(u)
            .address_mode_v(v)
            .address_mode_w(w)
            .compare_enable(texture.compare.is_some())
            .compare_op(compare)
            .border_color(border);
        // SAFETY: as in `draw`.
        let sampler = unsafe { self.device.create_sampler(&wanted, None) }.map_err(failed("vkCreateSampler"))?;
        made.samplers.push(sampler);
        let Resource::Image(view, _) = binding.resource else {
            return Err(Failure::new("an image without a view".into()));
        };
        let resource = Resource::Image(view, sampler);
        for (binding, ty) in
            [(texture.image, vk::DescriptorType::SAMPLED_IMAGE), (texture.sampler, vk::DescriptorType::SAMPLER)]
        {
            bound.push(Binding { set: texture.set, binding, ty, resource });
        }
        copied.ok_or_else(|| Failure::new("an image without texels".into()))
    }

    fn attachment(
        &self,
        made: &mut Made<'_>,
        [width, height]: [u32; 2],
        format: vk::Format,
    ) -> Result<Attachment, Failure> {
        let (usage, aspect) = match format {
            DEPTH => (
                vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
                vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
            ),
            _ => (vk::ImageUsageFlags::COLOR_ATTACHMENT, vk::ImageAspectFlags::COLOR),
        };
        let wanted = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage | vk::ImageUsageFlags::TRANSFER_SRC);
        // SAFETY: as in `draw`.
        let image = unsafe { self.device.create_image(&wanted, None) }.map_err(failed("vkCreateImage"))?;
        made.images.push(image);
        // SAFETY: as in `draw`.
        let needs = unsafe { self.device.get_image_memory_requirements(image) };
        let memory = self.allocate(made, needs, vk::MemoryPropertyFlags::empty())?;
        // SAFETY: the image and its memory are new and fit each other.
        unsafe { self.device.bind_image_memory(image, memory, 0) }.map_err(failed("vkBindImageMemory"))?;
        let range = vk::ImageSubresourceRange::default().aspect_mask(aspect).level_count(1).layer_count(1);
        let wanted = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(format)
            .subresource_range(range);
        // SAFETY: as in `draw`.
        let view = unsafe { self.device.create_image_view(&wanted, None) }.map_err(failed("vkCreateImageView"))?;
        made.views.push(view);
        Ok(Attachment { image, view, format })
    }

    /// The pass: everything is cleared first and copied afterwards.
    fn pass(&self, made: &mut Made<'_>, attachments: &[Attachment]) -> Result<vk::RenderPass, Failure> {
        let described: Vec<_> = attachments
            .iter()
            .map(|attachment| {
                vk::AttachmentDescription::default()
                    .format(attachment.format)
                    .samples(vk::SampleCountFlags::TYPE_1)
                    .load_op(vk::AttachmentLoadOp::CLEAR)
                    .store_op(vk::AttachmentStoreOp::STORE)
                    .stencil_load_op(vk::AttachmentLoadOp::CLEAR)
                    .stencil_store_op(vk::AttachmentStoreOp::STORE)
                    .initial_layout(vk::ImageLayout::UNDEFINED)
                    .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)
            })
            .collect();
        let colours = attachments.len() as u32 - 1;
        let of_color = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
        let references: Vec<_> =
            (0..colours).map(|n| vk::AttachmentReference::default().attachment(n).layout(of_color)).collect();
        let of_depth = vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        let depth = vk::AttachmentReference::default().attachment(colours).layout(of_depth);
        let parts = [vk::SubpassDescription::default()
            .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
            .color_attachments(&references)
            .depth_stencil_attachment(&depth)];
        let wanted = vk::RenderPassCreateInfo::default().attachments(&described).subpasses(&parts);
        // SAFETY: as in `draw`.
        let pass = unsafe { self.device.create_render_pass(&wanted, None) }.map_err(failed("vkCreateRenderPass"))?;
        made.passes.push(pass);
        Ok(pass)
    }

    fn draw_pipeline(
        &self,
        made: &mut Made<'_>,
        job: &DrawJob<'_>,
        layout: vk::PipelineLayout,
        pass: vk::RenderPass,
    ) -> Result<vk::Pipeline, Failure> {
        let (vertex, fragment) = (self.module(made, job.vertex)?, self.module(made, job.fragment)?);
        let stages = [(vk::ShaderStageFlags::VERTEX, vertex), (vk::ShaderStageFlags::FRAGMENT, fragment)].map(
            |(stage, module)| vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main"),
        );
        let inputs = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let [width, height] = job.size;
        let [near, far] = job.depths;
        let viewports = [vk::Viewport {
            x: 0.0,
            y: 0.0,
            width: width as f32,
            height: height as f32,
            min_depth: near,
            max_depth: far,
        }];
        let whole = [vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width, height } }];
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&whole);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .depth_clamp_enable(job.clamps_depth)
            .polygon_mode(vk::PolygonMode::FILL)
            .cull_mode(vk::CullModeFlags::NONE)
            .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
            .line_width(1.0);
        let samples =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let marked = vk::StencilOpState {
            fail_op: vk::StencilOp::REPLACE,
            pass_op: vk::StencilOp::REPLACE,
            depth_fail_op: vk::StencilOp::REPLACE,
            compare_op: vk::CompareOp::ALWAYS,
            compare_mask: 0xff,
            write_mask: 0xff,
            reference: 1,
        };
        let depth = vk::PipelineDepthStencilStateCreateInfo::default()
            .depth_test_enable(true)
            .depth_write_enable(true)
            .depth_compare_op(vk::CompareOp::ALWAYS)
            .stencil_test_enable(true)
            .front(marked)
            .back(marked);
        let plain: Vec<_> = (0..job.colours)
            .map(|_| {
                let all =
                    vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA);
                job.blend.map_or(all, |blend| blended(all, &blend))
            })
            .collect();
        let constant = job.blend.map_or([0.0; 4], |blend| blend.constant);
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&plain).blend_constants(constant);
        let wanted = [vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&inputs)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .layout(layout)
            .render_pass(pass)];
        // SAFETY: as in `draw`.
        let created = unsafe { self.device.create_graphics_pipelines(vk::PipelineCache::null(), &wanted, None) };
        made.pipeline(created).map_err(failed("vkCreateGraphicsPipelines"))
    }
}

/// A target with blending.
fn blended(
    plain: vk::PipelineColorBlendAttachmentState,
    Blend { color, alpha, .. }: &Blend,
) -> vk::PipelineColorBlendAttachmentState {
    plain
        .blend_enable(true)
        .src_color_blend_factor(factor(color.source))
        .dst_color_blend_factor(factor(color.destination))
        .color_blend_op(equation(*color))
        .src_alpha_blend_factor(factor(alpha.source))
        .dst_alpha_blend_factor(factor(alpha.destination))
        .alpha_blend_op(equation(*alpha))
}

fn equation(term: BlendTerm) -> vk::BlendOp {
    match term.equation {
        Equation::Add => vk::BlendOp::ADD,
        Equation::Subtract => vk::BlendOp::SUBTRACT,
        Equation::ReverseSubtract => vk::BlendOp::REVERSE_SUBTRACT,
        Equation::Min => vk::BlendOp::MIN,
        Equation::Max => vk::BlendOp::MAX,
    }
}

fn factor(factor: Factor) -> vk::BlendFactor {
    match factor {
        Factor::Zero => vk::BlendFactor::ZERO,
        Factor::One => vk::BlendFactor::ONE,
        Factor::SrcColor => vk::BlendFactor::SRC_COLOR,
        Factor::OneMinusSrcColor => vk::BlendFactor::ONE_MINUS_SRC_COLOR,
        Factor::DstColor => vk::BlendFactor::DST_COLOR,
        Factor::OneMinusDstColor => vk::BlendFactor::ONE_MINUS_DST_COLOR,
        Factor::SrcAlpha => vk::BlendFactor::SRC_ALPHA,
        Factor::OneMinusSrcAlpha => vk::BlendFactor::ONE_MINUS_SRC_ALPHA,
        Factor::DstAlpha => vk::BlendFactor::DST_ALPHA,
        Factor::OneMinusDstAlpha => vk::BlendFactor::ONE_MINUS_DST_ALPHA,
        Factor::ConstantColor => vk::BlendFactor::CONSTANT_COLOR,
        Factor::OneMinusConstantColor => vk::BlendFactor::ONE_MINUS_CONSTANT_COLOR,
        Factor::ConstantAlpha => vk::BlendFactor::CONSTANT_ALPHA,
        Factor::OneMinusConstantAlpha => vk::BlendFactor::ONE_MINUS_CONSTANT_ALPHA,
        Factor::SrcAlphaSaturate => vk::BlendFactor::SRC_ALPHA_SATURATE,
    }
}
