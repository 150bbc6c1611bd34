//! The device and a run on it.
#![allow(unsafe_code, reason = "Vulkan is a C interface: every call of it is unsafe")]

use crate::image::Copied;
use crate::made::Made;
use crate::{Buffer, Job};
use ash::vk;
use std::ffi::{CStr, CString};
use std::fmt;
use std::time::{Duration, Instant};

/// Longest time a job may take, in nanoseconds. A driver may compile a long module for minutes when it first runs.
const PATIENCE: u64 = 300_000_000_000;

/// Why there is no device, or why a job did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    pub(crate) fn new(message: String) -> Failure {
        Failure(message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// What a call failed with, behind the call's name.
pub(crate) fn failed(call: &str) -> impl FnOnce(vk::Result) -> Failure {
    move |result| Failure(format!("{call}: {result}"))
}

/// What a binding leads to.
#[derive(Copy, Clone)]
pub(crate) enum Resource {
    Buffer(vk::Buffer),
    Texels(vk::BufferView),
    Image(vk::ImageView, vk::Sampler),
}

/// A binding of a descriptor set.
pub(crate) struct Binding {
    pub(crate) set: u32,
    pub(crate) binding: u32,
    pub(crate) ty: vk::DescriptorType,
    pub(crate) resource: Resource,
}

/// What not every device has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Feature {
    /// 16-bit integers.
    Int16,
    /// 64-bit integers.
    Int64,
    /// 8-bit integers.
    Int8,
    /// 16-bit floats.
    Float16,
    /// 16-bit members of storage buffers.
    Storage16,
    /// 8-bit members of storage buffers.
    Storage8,
    /// Storage buffers that fragment shaders write.
    FragmentStores,
    /// Storage buffers that vertex shaders write.
    VertexStores,
    /// Distances to clip planes.
    ClipDistances,
    /// Floats of 32 bits that round to nearest even where a module asks for it.
    NearestEven32,
    /// Floats of 32 bits that keep denormals where a module asks for it.
    Denormals32,
    /// Floats of 32 bits that keep signs of zeros, infinities and NaNs where a module asks for it.
    Nans32,
}

/// A device with a queue for kernels and, on most, draws.
pub struct Device {
    // Dropped last: everything else calls into it.
    _loader: ash::Entry,
    pub(crate) instance: ash::Instance,
    pub(crate) device: ash::Device,
    queue: vk::Queue,
    family: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
    name: String,
    driver: String,
    features: Vec<Feature>,
    pub(crate) draws: bool,
    pub(crate) physical: vk::PhysicalDevice,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").field("name", &self.name).field("driver", &self.driver).finish_non_exhaustive()
    }
}

impl Device {
    /// The first device with a queue for compute, a processor before others: that is the one whose arithmetic is known.
    ///
    /// # Errors
    /// No loader, no device.
    pub fn open() -> Result<Device, Failure> {
        // SAFETY: the loader is the system's; its own initialisers are all that runs.
        let loader = unsafe { ash::Entry::load() }.map_err(|error| Failure(error.to_string()))?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
        let wanted = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the structures outlive the call, here and below; what is created is destroyed once, by `drop` or at the
        // end of the function that created it.
        let instance = unsafe { loader.create_instance(&wanted, None) }.map_err(failed("vkCreateInstance"))?;
        let found = Self::with_instance(loader, instance.clone());
        if found.is_err() {
            // SAFETY: nothing was made from it.
            unsafe { instance.destroy_instance(None) };
        }
        found
    }

    fn with_instance(loader: ash::Entry, instance: ash::Instance) -> Result<Device, Failure> {
        // SAFETY: as in `open`.
        let all = unsafe { instance.enumerate_physical_devices() }.map_err(failed("vkEnumeratePhysicalDevices"))?;
        // SAFETY: as in `open`.
        let is_processor =
            |d: &vk::PhysicalDevice| unsafe { instance.get_physical_device_properties(*d) }.device_type == vk::PhysicalDeviceType::CPU;
        let chosen = all.iter().copied().find(is_processor).or(all.first().copied());
        let physical = chosen.ok_or_else(|| Failure("no device".into()))?;
        // SAFETY: as in `open`.
        let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
        let (compute, graphics) = (vk::QueueFlags::COMPUTE, vk::QueueFlags::GRAPHICS);
        let with = |flags| families.iter().position(|family| family.queue_flags.contains(flags));
        let draws = with(compute | graphics).is_some();
        let family = with(compute | graphics).or(with(compute));
        let family = family.ok_or_else(|| Failure("no queue for compute".into()))? as u32;

        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut controls = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver).push_next(&mut controls);
        // SAFETY: as in `open`.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let name = text(properties.properties.device_name_as_c_str());
        let driver = text(driver.driver_info_as_c_str());

        // Everything the device has is switched on.
        let mut of_11 = vk::PhysicalDeviceVulkan11Features::default();
        let mut of_12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut of_11).push_next(&mut of_12);
        // SAFETY: as in `open`.
        unsafe { instance.get_physical_device_features2(physical, &mut features) };
        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
        let wanted = vk::DeviceCreateInfo::default().queue_create_infos(&queues).push_next(&mut features);
        // SAFETY: as in `open`.
        let device = unsafe { instance.create_device(physical, &wanted, None) }.map_err(failed("vkCreateDevice"))?;
        let core = features.features;
        let features = [
            (Feature::Int16, core.shader_int16),
            (Feature::Int64, core.shader_int64),
            (Feature::Int8, of_12.shader_int8),
            (Feature::Float16, of_12.shader_float16),
            (Feature::Storage16, of_11.storage_buffer16_bit_access),
            (Feature::Storage8, of_12.storage_buffer8_bit_access),
            (Feature::FragmentStores, core.fragment_stores_and_atomics),
            (Feature::VertexStores, core.vertex_pipeline_stores_and_atomics),
            (Feature::ClipDistances, core.shader_clip_distance),
            (Feature::NearestEven32, controls.shader_rounding_mode_rte_float32),
            (Feature::Denormals32, controls.shader_denorm_preserve_float32),
            (Feature::Nans32, controls.shader_signed_zero_inf_nan_preserve_float32),
        ];
        let features = features.into_iter().filter(|(_, has)| *has == vk::TRUE).map(|(feature, _)| feature).collect();
        // SAFETY: the family is that of the only queue.
        let queue = unsafe { device.get_device_queue(family, 0) };
        // SAFETY: as in `open`.
        let memory = unsafe { instance.get_physical_device_memory_properties(physical) };
        Ok(Device { _loader: loader, instance, device, queue, family, memory, name, driver, features, draws, physical })
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The driver's name for its version, such as `Mesa 22.3.6 (LLVM 15.0.6)`.
    pub fn driver(&self) -> &str {
        &self.driver
    }

    /// Whether it has a feature.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// Runs a job; the words of its buffers and then of its images afterwards, in their order.
    ///
    /// # Errors
    /// What the driver refuses.
    pub fn run(&self, job: &Job<'_>) -> Result<Vec<Vec<u32>>, Failure> {
        let mut made = Made::new(&self.device);
        let (mut bound, mut memories, mut copied) = (Vec::new(), Vec::new(), Vec::new());
        for buffer in &job.buffers {
            let (binding, memory) = self.buffer(&mut made, buffer)?;
            bound.push(binding);
            memories.push((memory, buffer.words.len()));
        }
        for image in &job.images {
            let (binding, memory, copy) = self.image(&mut made, image)?;
            bound.push(binding);
            memories.push((memory, image.words.len()));
            copied.extend(copy);
        }
        let emptied = copied.len();
        for texture in &job.textures {
            copied.push(self.texture(&mut made, texture, &mut bound)?);
        }
        let stages = vk::ShaderStageFlags::COMPUTE;
        let (layout, sets) = self.descriptors(&mut made, stages, (job.push.len() * 4) as u32, &bound)?;
        let pipeline = self.pipeline(&mut made, job, layout)?;
        self.dispatch(&mut made, job, copied.split_at(emptied), pipeline, layout, &sets)?;
        memories.into_iter().map(|(memory, count)| self.read(memory, count)).collect()
    }

    /// A buffer of a job.
    pub(crate) fn buffer(&self, made: &mut Made<'_>, buffer: &Buffer) -> Result<(Binding, vk::DeviceMemory), Failure> {
        let (usage, ty) = match buffer.is_uniform {
            true => (vk::BufferUsageFlags::UNIFORM_BUFFER, vk::DescriptorType::UNIFORM_BUFFER),
            false => (vk::BufferUsageFlags::STORAGE_BUFFER, vk::DescriptorType::STORAGE_BUFFER),
        };
        let (handle, memory) = self.filled(made, &buffer.words, usage)?;
        let resource = Resource::Buffer(handle);
        Ok((Binding { set: buffer.set, binding: buffer.binding, ty, resource }, memory))
    }

    /// Memory of a kind that has these properties.
    pub(crate) fn allocate(
        &self,
        made: &mut Made<'_>,
        needs: vk::MemoryRequirements,
        properties: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory, Failure> {
        let kinds = self.memory.memory_types_as_slice().iter().enumerate();
        let kind = kinds
            .filter(|(n, kind)| needs.memory_type_bits >> n & 1 == 1 && kind.property_flags.contains(properties))
            .map(|(n, _)| n as u32)
            .next()
            .ok_or_else(|| Failure("no memory that the host can see".into()))?;
        let wanted = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(kind);
        // SAFETY: as in `filled`.
        let memory = unsafe { self.device.allocate_memory(&wanted, None) }.map_err(failed("vkAllocateMemory"))?;
        made.memories.push(memory);
        Ok(memory)
    }

    /// A buffer in memory that both sides see, with words in it.
    pub(crate) fn filled(
        &self,
        made: &mut Made<'_>,
        words: &[u32],
        usage: vk::BufferUsageFlags,
    ) -> Result<(vk::Buffer, vk::DeviceMemory), Failure> {
        let bytes = (words.len().max(1) * 4) as u64;
        let wanted = vk::BufferCreateInfo::default().size(bytes).usage(usage);
        // SAFETY: as in `open`, here and below; `made` destroys everything once it is idle.
        let handle = unsafe { self.device.create_buffer(&wanted, None) }.map_err(failed("vkCreateBuffer"))?;
        made.buffers.push(handle);
        // SAFETY: as above.
        let needs = unsafe { self.device.get_buffer_memory_requirements(handle) };
        let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let memory = self.allocate(made, needs, visible)?;
        // SAFETY: the buffer and its memory are new and fit each other.
        unsafe { self.device.bind_buffer_memory(handle, memory, 0) }.map_err(failed("vkBindBufferMemory"))?;
        if !words.is_empty() {
            let at = self.map(memory)?;
            // SAFETY: the memory has room for so many words and is mapped; no job runs yet.
            unsafe {
                std::ptr::copy_nonoverlapping(words.as_ptr(), at, words.len());
                self.device.unmap_memory(memory);
            }
        }
        Ok((handle, memory))
    }

    fn map(&self, memory: vk::DeviceMemory) -> Result<*mut u32, Failure> {
        // SAFETY: the memory is visible to the host and not mapped.
        let at = unsafe { self.device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()) };
        at.map(|at| at.cast()).map_err(failed("vkMapMemory"))
    }

    pub(crate) fn read(&self, memory: vk::DeviceMemory, count: usize) -> Result<Vec<u32>, Failure> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let at: *const u32 = self.map(memory)?;
        // SAFETY: the memory holds so many words and is coherent; the job is over.
        let words = unsafe { std::slice::from_raw_parts(at, count) }.to_vec();
        // SAFETY: it was mapped above.
        unsafe { self.device.unmap_memory(memory) };
        Ok(words)
    }

    /// The layout of the pipeline, and descriptor sets that name the buffers and images. `push` is the number of bytes of push
    /// constants.
    pub(crate) fn descriptors(
        &self,
        made: &mut Made<'_>,
        stages: vk::ShaderStageFlags,
        push: u32,
        bound: &[Binding],
    ) -> Result<(vk::PipelineLayout, Vec<vk::DescriptorSet>), Failure> {
        let count = bound.iter().map(|bound| bound.set + 1).max().unwrap_or(0);
        let mut layouts = Vec::new();
        for set in 0..count {
            let bindings: Vec<_> = bound
                .iter()
                .filter(|bound| bound.set == set)
                .map(|bound| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(bound.binding)
                        .descriptor_type(bound.ty)
                        .descriptor_count(1)
                        .stage_flags(stages)
                })
                .collect();
            let wanted = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: as in `buffer`.
            let layout = unsafe { self.device.create_descriptor_set_layout(&wanted, None) }
                .map_err(failed("vkCreateDescriptorSetLayout"))?;
            made.set_layouts.push(layout);
            layouts.push(layout);
        }
        let ranges = [vk::PushConstantRange::default().stage_flags(stages).size(push)];
        let wanted = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(if push == 0 {
            &[]
        } else {
            &ranges
        });
        // SAFETY: as in `buffer`.
        let layout =
            unsafe { self.device.create_pipeline_layout(&wanted, None) }.map_err(failed("vkCreatePipelineLayout"))?;
        made.layouts.push(layout);
        if layouts.is_empty() {
            return Ok((layout, Vec::new()));
        }
        let sizes: Vec<_> =
            bound.iter().map(|bound| vk::DescriptorPoolSize::default().ty(bound.ty).descriptor_count(1)).collect();
        let wanted = vk::DescriptorPoolCreateInfo::default().max_sets(count).pool_sizes(&sizes);
        // SAFETY: as in `buffer`.
        let pool =
            unsafe { self.device.create_descriptor_pool(&wanted, None) }.map_err(failed("vkCreateDescriptorPool"))?;
        made.pools.push(pool);
        let wanted = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        // SAFETY: as in `buffer`; the sets go with their pool.
        let sets =
            unsafe { self.device.allocate_descriptor_sets(&wanted) }.map_err(failed("vkAllocateDescriptorSets"))?;
        for bound in bound {
            let write = vk::WriteDescriptorSet::default()
                .dst_set(sets[bound.set as usize])
                .dst_binding(bound.binding)
                .descriptor_count(1)
                .descriptor_type(bound.ty);
            let (buffers, images, views);
            let write = match bound.resource {
                Resource::Buffer(handle) => {
                    buffers = [vk::DescriptorBufferInfo::default().buffer(handle).range(vk::WHOLE_SIZE)];
                    write.buffer_info(&buffers)
                }
                Resource::Texels(view) => {
                    views = [view];
                    write.texel_buffer_view(&views)
                }
                Resource::Image(view, sampler) => {
                    let info = vk::DescriptorImageInfo::default().image_view(view).sampler(sampler);
                    images = [info.image_layout(vk::ImageLayout::GENERAL)];
                    write.image_info(&images)
                }
            };
            // SAFETY: the set is in no use.
            unsafe { self.device.update_descriptor_sets(&[write], &[]) };
        }
        Ok((layout, sets))
    }

    pub(crate) fn module(&self, made: &mut Made<'_>, words: &[u32]) -> Result<vk::ShaderModule, Failure> {
        let wanted = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: as in `buffer`.
        let module =
            unsafe { self.device.create_shader_module(&wanted, None) }.map_err(failed("vkCreateShaderModule"))?;
        made.modules.push(module);
        Ok(module)
    }

    fn pipeline(
        &self,
        made: &mut Made<'_>,
        job: &Job<'_>,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline, Failure> {
        let module = self.module(made, job.words)?;
        let entry = CString::new(job.entry).map_err(|_| Failure("the name of the entry point holds a zero".into()))?;
        let values: Vec<u8> = job.spec.iter().flat_map(|(_, value)| value.to_ne_bytes()).collect();
        let entries: Vec<_> = (0u32..)
            .zip(&job.spec)
            .map(|(n, (id, _))| vk::SpecializationMapEntry::default().constant_id(*id).offset(n * 4).size(4))
            .collect();
        let special = vk::SpecializationInfo::default().map_entries(&entries).data(&values);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(&entry)
            .specialization_info(&special);
        let wanted = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        // SAFETY: as in `buffer`.
        let created = unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &wanted, None) };
        made.pipeline(created).map_err(failed("vkCreateComputePipelines"))
    }

    fn dispatch(
        &self,
        made: &mut Made<'_>,
        job: &Job<'_>,
        (images, textures): (&[Copied], &[Copied]),
        pipeline: vk::Pipeline,
        layout: vk::PipelineLayout,
        sets: &[vk::DescriptorSet],
    ) -> Result<(), Failure> {
        let device = &self.device;
        let bytes: Vec<u8> = job.push.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.submit(made, 1, |to| {
            images.iter().chain(textures).for_each(|image| image.fill(device, to));
            // SAFETY: the commands are being recorded; everything they name lives until `made` is dropped.
            unsafe {
                device.cmd_bind_pipeline(to, vk::PipelineBindPoint::COMPUTE, pipeline);
                if !sets.is_empty() {
                    device.cmd_bind_descriptor_sets(to, vk::PipelineBindPoint::COMPUTE, layout, 0, sets, &[]);
                }
                if !bytes.is_empty() {
                    device.cmd_push_constants(to, layout, vk::ShaderStageFlags::COMPUTE, 0, &bytes);
                }
                let [x, y, z] = job.grid;
                device.cmd_dispatch(to, x, y, z);
            }
            images.iter().for_each(|image| image.empty(device, to));
        })
        .map(drop)
    }

    /// Runs the commands that `record` records, and waits until the host can read what they wrote.
    pub(crate) fn submit(
        &self,
        made: &mut Made<'_>,
        times: u32,
        record: impl FnOnce(vk::CommandBuffer),
    ) -> Result<Duration, Failure> {
        let device = &self.device;
        let wanted = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
        // SAFETY: as in `buffer`.
        let pool = unsafe { device.create_command_pool(&wanted, None) }.map_err(failed("vkCreateCommandPool"))?;
        made.command_pools.push(pool);
        let wanted = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        // SAFETY: as in `buffer`; the commands go with their pool.
        let commands =
            unsafe { device.allocate_command_buffers(&wanted) }.map_err(failed("vkAllocateCommandBuffers"))?;
        let to = commands[0];
        let begin = vk::CommandBufferBeginInfo::default();
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        // SAFETY: the commands are recorded once and submitted when no other submission of them runs; everything they name lives
        // until `made` is dropped, which waits for the device.
        unsafe {
            device.begin_command_buffer(to, &begin).map_err(failed("vkBeginCommandBuffer"))?;
            record(to);
            let (from, until) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::PipelineStageFlags::HOST);
            device.cmd_pipeline_barrier(to, from, until, vk::DependencyFlags::empty(), &barrier, &[], &[]);
            device.end_command_buffer(to).map_err(failed("vkEndCommandBuffer"))?;
            let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
            let mut shortest = Duration::MAX;
            for _ in 0..times {
                let wanted = vk::FenceCreateInfo::default();
                let fence = device.create_fence(&wanted, None).map_err(failed("vkCreateFence"))?;
                made.fences.push(fence);
                let start = Instant::now();
                device.queue_submit(self.queue, &submit, fence).map_err(failed("vkQueueSubmit"))?;
                device.wait_for_fences(&[fence], true, PATIENCE).map_err(failed("vkWaitForFences"))?;
                shortest = shortest.min(start.elapsed());
            }
            Ok(shortest)
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: every job cleaned up behind itself.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

fn text(name: Result<&CStr, std::ffi::FromBytesUntilNulError>) -> String {
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
