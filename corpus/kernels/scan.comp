#version 450
// Prefix sums of 64 numbers through shared memory, in three orders: one after the other, by doubling, and by a tree up and down.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Numbers { float numbers[]; };
layout(std430, binding = 1) writeonly buffer Sums { float sums[]; };

const uint COUNT = 64u;

shared float values[COUNT];
shared float doubled[COUNT];
shared float tree[COUNT];

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint at = gl_GlobalInvocationID.x;
    float number = exp(numbers[at] * 12.0 - 6.0);
    values[lane] = number;
    doubled[lane] = number;
    tree[lane] = number;
    barrier();

    float serial = 0.0;
    for (uint n = 0u; n <= lane; n++) {
        serial += values[n];
    }

    for (uint width = 1u; width < COUNT; width *= 2u) {
        float before = lane >= width ? doubled[lane - width] : 0.0;
        barrier();
        doubled[lane] += before;
        barrier();
    }

    for (uint width = 1u; width < COUNT; width *= 2u) {
        if ((lane + 1u) % (2u * width) == 0u) {
            tree[lane] += tree[lane - width];
        }
        barrier();
    }
    for (uint width = COUNT / 4u; width > 0u; width /= 2u) {
        if ((lane + 1u) % (2u * width) == width && lane >= width) {
            tree[lane] += tree[lane - width];
        }
        barrier();
    }

    sums[at * 3u] = serial;
    sums[at * 3u + 1u] = doubled[lane];
    sums[at * 3u + 2u] = tree[lane];
}
