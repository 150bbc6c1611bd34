#version 450
// Softmax of 64 scores by one workgroup, in mediump, through shared memory.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Scores { float scores[]; };
layout(std430, binding = 1) writeonly buffer Weights { float weights[]; };

shared float largest[64];
shared float total[64];

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint at = gl_GlobalInvocationID.x;
    mediump float score = scores[at] * 12.0;
    largest[lane] = score;
    barrier();
    for (uint step = 32u; step > 0u; step /= 2u) {
        if (lane < step) {
            largest[lane] = max(largest[lane], largest[lane + step]);
        }
        barrier();
    }
    mediump float weight = exp(score - largest[0]);
    total[lane] = weight;
    barrier();
    for (uint step = 32u; step > 0u; step /= 2u) {
        if (lane < step) {
            mediump float sum = total[lane] + total[lane + step];
            total[lane] = sum;
        }
        barrier();
    }
    mediump float share = weight / total[0];
    weights[at] = share;
}
