#version 450
// A histogram by atomics in shared memory, then in the buffer: integers, which must be the same everywhere; what falls into a bin
// is decided by a product with 64.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer Numbers { float numbers[]; };
layout(std430, binding = 1) buffer Bins { uint bins[]; };

shared uint own[64];

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < 64u) {
        own[lane] = 0u;
    }
    barrier();
    for (uint n = 0u; n < 8u; n++) {
        float x = numbers[gl_GlobalInvocationID.x * 8u + n];
        float bent = sqrt(x) * pow(x, 0.1);
        uint bin = uint(clamp(bent * 64.0, 0.0, 63.0));
        atomicAdd(own[bin], 1u);
    }
    barrier();
    if (lane < 64u) {
        atomicAdd(bins[lane], own[lane]);
    }
}
