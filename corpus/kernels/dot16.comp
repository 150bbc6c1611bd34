#version 450
// Dot products of rows of 256 numbers: summed in mediump, in mediump by blocks of 16 that are summed in highp, and in highp.
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer Rows { float rows[]; };
layout(std430, binding = 1) readonly buffer Weights { float weights[]; };
layout(std430, binding = 2) writeonly buffer Dots { float dots[]; };

const uint COUNT = 256u;
const uint BLOCK = 16u;

void main() {
    uint row = gl_GlobalInvocationID.x;
    mediump float half_sum = 0.0;
    mediump float block_sum = 0.0;
    float blocks = 0.0, sum = 0.0;
    for (uint n = 0u; n < COUNT; n++) {
        mediump float a = rows[row * COUNT + n];
        mediump float b = weights[n] - 0.5;
        half_sum = half_sum + a * b;
        block_sum = block_sum + a * b;
        sum += rows[row * COUNT + n] * (weights[n] - 0.5);
        if (n % BLOCK == BLOCK - 1u) {
            blocks += block_sum;
            block_sum = 0.0;
        }
    }
    dots[row * 3u] = half_sum;
    dots[row * 3u + 1u] = blocks;
    dots[row * 3u + 2u] = sum;
}
