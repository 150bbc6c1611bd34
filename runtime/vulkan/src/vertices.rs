//! Runs of a vertex module alone: nothing is rasterised, and what it stores is read.
#![allow(unsafe_code, reason = "Vulkan is a C interface: every call of it is unsafe")]

use crate::device::{Device, Failure, failed};
use crate::draw::Texture;
use crate::made::Made;
use crate::{Buffer, Image};
use ash::vk;

/// A vertex module and what it works on.
#[derive(Clone, Debug)]
pub struct VertexJob<'a> {
    /// The module; its entry point is `main`.
    pub words: &'a [u32],
    /// Number of vertices.
    pub vertices: u32,
    /// Location and four words of each vertex, of each attribute.
    pub attributes: Vec<(u32, Vec<[u32; 4]>)>,
    /// Buffers that it is bound to.
    pub buffers: Vec<Buffer>,
    /// Textures that it is bound to.
    pub textures: Vec<Texture>,
    /// Images without samplers that it is bound to.
    pub images: Vec<Image>,
}

impl Device {
    /// Runs a vertex module once per vertex; the words of its buffers afterwards, in their order.
    ///
    /// # Errors
    /// What the driver refuses; a device that does not draw.
    pub fn run_vertices(&self, job: &VertexJob<'_>) -> Result<Vec<Vec<u32>>, Failure> {
        if !self.draws {
            return Err(Failure::new("the device does not draw".into()));
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
        let mut attributes = Vec::new();
        for (_, values) in &job.attributes {
            let usage = vk::BufferUsageFlags::VERTEX_BUFFER;
            attributes.push(self.filled(&mut made, values.as_flattened(), usage)?.0);
        }
        let (layout, sets) = self.descriptors(&mut made, vk::ShaderStageFlags::VERTEX, 0, &bound)?;
        // Nothing is drawn to.
        let parts = [vk::SubpassDescription::default().pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)];
        let wanted = vk::RenderPassCreateInfo::default().subpasses(&parts);
        // SAFETY: as in `Device::open`, here and below; `made` destroys everything once it is idle.
        let pass = unsafe { self.device.create_render_pass(&wanted, None) }.map_err(failed("vkCreateRenderPass"))?;
        made.passes.push(pass);
        let pipeline = self.vertex_pipeline(&mut made, job, layout, pass)?;
        let wanted = vk::FramebufferCreateInfo::default().render_pass(pass).width(1).height(1).layers(1);
        // SAFETY: as above.
        let framebuffer =
            unsafe { self.device.create_framebuffer(&wanted, None) }.map_err(failed("vkCreateFramebuffer"))?;
        made.framebuffers.push(framebuffer);
        let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: 1, height: 1 } };
        let begin = vk::RenderPassBeginInfo::default().render_pass(pass).framebuffer(framebuffer).render_area(area);
        let device = &self.device;
        let offsets = vec![0; attributes.len()];
        self.submit(&mut made, 1, |to| {
            copied.iter().for_each(|image| image.fill(device, to));
            // SAFETY: the commands are being recorded; everything they name lives until `made` is dropped.
            unsafe {
                device.cmd_begin_render_pass(to, &begin, vk::SubpassContents::INLINE);
                device.cmd_bind_pipeline(to, vk::PipelineBindPoint::GRAPHICS, pipeline);
                if !sets.is_empty() {
                    device.cmd_bind_descriptor_sets(to, vk::PipelineBindPoint::GRAPHICS, layout, 0, &sets, &[]);
                }
                if !attributes.is_empty() {
                    device.cmd_bind_vertex_buffers(to, 0, &attributes, &offsets);
                }
                device.cmd_draw(to, job.vertices, 1, 0, 0);
                device.cmd_end_render_pass(to);
            }
        })?;
        memories.into_iter().map(|(memory, count)| self.read(memory, count)).collect()
    }

    fn vertex_pipeline(
        &self,
        made: &mut Made<'_>,
        job: &VertexJob<'_>,
        layout: vk::PipelineLayout,
        pass: vk::RenderPass,
    ) -> Result<vk::Pipeline, Failure> {
        let module = self.module(made, job.words)?;
        let stages = [vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::VERTEX)
            .module(module)
            .name(c"main")];
        let numbered = || (0u32..).zip(&job.attributes);
        let bindings: Vec<_> = numbered()
            .map(|(n, _)| {
                vk::VertexInputBindingDescription::default()
                    .binding(n)
                    .stride(16)
                    .input_rate(vk::VertexInputRate::VERTEX)
            })
            .collect();
        let attributes: Vec<_> = numbered()
            .map(|(n, &(location, _))| {
                vk::VertexInputAttributeDescription::default()
                    .binding(n)
                    .location(location)
                    .format(vk::Format::R32G32B32A32_SFLOAT)
            })
            .collect();
        let inputs = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&bindings)
            .vertex_attribute_descriptions(&attributes);
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::POINT_LIST);
        let raster =
            vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(true).line_width(1.0);
        let wanted = [vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&inputs)
            .input_assembly_state(&assembly)
            .rasterization_state(&raster)
            .layout(layout)
            .render_pass(pass)];
        // SAFETY: as in `run_vertices`.
        let created = unsafe { self.device.create_graphics_pipelines(vk::PipelineCache::null(), &wanted, None) };
        made.pipeline(created).map_err(failed("vkCreateGraphicsPipelines"))
    }
}
