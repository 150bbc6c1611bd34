#version 450
// One sum of 512 numbers in five orders: forwards, backwards, by 64 partial sums, pairwise, and with Kahan's correction.
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer Numbers { float numbers[]; };
layout(std430, binding = 1) writeonly buffer Sums { float sums[]; };

const uint COUNT = 512u;

// A part of the numbers for each invocation, scaled so that small and large ones meet.
float number(uint part, uint n) {
    return (numbers[part * COUNT + n] - 0.25) * exp2(float(n % 24u) - 12.0);
}

void main() {
    uint part = gl_GlobalInvocationID.x;
    float forwards = 0.0, backwards = 0.0, corrected = 0.0, lost = 0.0;
    for (uint n = 0u; n < COUNT; n++) {
        float x = number(part, n);
        forwards += x;
        backwards += number(part, COUNT - 1u - n);
        precise float wanted = x - lost;
        precise float sum = corrected + wanted;
        precise float taken = sum - corrected;
        lost = taken - wanted;
        corrected = sum;
    }
    float tree[64];
    for (uint k = 0u; k < 64u; k++) {
        tree[k] = 0.0;
    }
    for (uint n = 0u; n < COUNT; n++) {
        tree[n % 64u] += number(part, n);
    }
    float partial = 0.0;
    for (uint k = 0u; k < 64u; k++) {
        partial += tree[k];
    }
    for (uint width = 32u; width > 0u; width /= 2u) {
        for (uint k = 0u; k < width; k++) {
            tree[k] += tree[k + width];
        }
    }
    uint at = part * 5u;
    sums[at] = forwards;
    sums[at + 1u] = backwards;
    sums[at + 2u] = partial;
    sums[at + 3u] = tree[0];
    sums[at + 4u] = corrected;
}
