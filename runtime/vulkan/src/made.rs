//! What a job made.
#![allow(unsafe_code, reason = "Vulkan is a C interface: every call of it is unsafe")]

use ash::vk;

/// What a job made, destroyed when it is over, whichever way it ended.
pub(crate) struct Made<'d> {
    device: &'d ash::Device,
    pub(crate) buffers: Vec<vk::Buffer>,
    pub(crate) buffer_views: Vec<vk::BufferView>,
    pub(crate) images: Vec<vk::Image>,
    pub(crate) views: Vec<vk::ImageView>,
    pub(crate) samplers: Vec<vk::Sampler>,
    pub(crate) memories: Vec<vk::DeviceMemory>,
    pub(crate) set_layouts: Vec<vk::DescriptorSetLayout>,
    pub(crate) layouts: Vec<vk::PipelineLayout>,
    pub(crate) pools: Vec<vk::DescriptorPool>,
    pub(crate) modules: Vec<vk::ShaderModule>,
    pub(crate) pipelines: Vec<vk::Pipeline>,
    pub(crate) command_pools: Vec<vk::CommandPool>,
    pub(crate) fences: Vec<vk::Fence>,
    pub(crate) passes: Vec<vk::RenderPass>,
    pub(crate) framebuffers: Vec<vk::Framebuffer>,
}

impl<'d> Made<'d> {
    pub(crate) const fn new(device: &'d ash::Device) -> Made<'d> {
        Made {
            device,
            buffers: Vec::new(),
            buffer_views: Vec::new(),
            images: Vec::new(),
            views: Vec::new(),
            samplers: Vec::new(),
            memories: Vec::new(),
            set_layouts: Vec::new(),
            layouts: Vec::new(),
            pools: Vec::new(),
            modules: Vec::new(),
            pipelines: Vec::new(),
            command_pools: Vec::new(),
            fences: Vec::new(),
            passes: Vec::new(),
            framebuffers: Vec::new(),
        }
    }

    /// Keeps the pipeline that was asked for, or tells why there is none.
    pub(crate) fn pipeline(
        &mut self,
        created: Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
    ) -> Result<vk::Pipeline, vk::Result> {
        let (pipelines, problem) = match created {
            Ok(pipelines) => (pipelines, None),
            Err((pipelines, result)) => (pipelines, Some(result)),
        };
        self.pipelines.extend(&pipelines);
        match (problem, pipelines.first()) {
            (None, Some(pipeline)) => Ok(*pipeline),
            (problem, _) => Err(problem.unwrap_or(vk::Result::ERROR_UNKNOWN)),
        }
    }
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        let device = self.device;
        // SAFETY: the device is idle, and all of these were made by it and are destroyed here alone. Null handles of a
        // pipeline that failed are allowed.
        unsafe {
            let _ = device.device_wait_idle();
            self.fences.iter().for_each(|it| device.destroy_fence(*it, None));
            self.command_pools.iter().for_each(|it| device.destroy_command_pool(*it, None));
            self.pipelines.iter().for_each(|it| device.destroy_pipeline(*it, None));
            self.framebuffers.iter().for_each(|it| device.destroy_framebuffer(*it, None));
            self.passes.iter().for_each(|it| device.destroy_render_pass(*it, None));
            self.modules.iter().for_each(|it| device.destroy_shader_module(*it, None));
            self.pools.iter().for_each(|it| device.destroy_descriptor_pool(*it, None));
            self.layouts.iter().for_each(|it| device.destroy_pipeline_layout(*it, None));
            self.set_layouts.iter().for_each(|it| device.destroy_descriptor_set_layout(*it, None));
            self.samplers.iter().for_each(|it| device.destroy_sampler(*it, None));
            self.views.iter().for_each(|it| device.destroy_image_view(*it, None));
            self.buffer_views.iter().for_each(|it| device.destroy_buffer_view(*it, None));
            self.images.iter().for_each(|it| device.destroy_image(*it, None));
            self.buffers.iter().for_each(|it| device.destroy_buffer(*it, None));
            self.memories.iter().for_each(|it| device.free_memory(*it, None));
        }
    }
}
