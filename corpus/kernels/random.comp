#version 450
// Random numbers as shaders make them: fract(sin(x) * 43758.5453), fract of products, and a hash of integers, each counted in 64
// classes of a workgroup.
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Numbers { float numbers[]; };
layout(std430, binding = 1) buffer Classes { uint classes[]; };

const uint CLASSES = 64u;

float of_sine(vec2 at) {
    return fract(sin(dot(at, vec2(12.9898, 78.233))) * 43758.5453);
}

float of_products(vec2 at) {
    vec3 p = fract(vec3(at.xyx) * 0.1031);
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

float of_integers(uint n) {
    n = (n ^ 61u) ^ (n >> 16u);
    n *= 9u;
    n ^= n >> 4u;
    n *= 0x27d4eb2du;
    n ^= n >> 15u;
    return float(n >> 8u) / 16777216.0;
}

void store(uint kind, uint n, float number) {
    numbers[n * 3u + kind] = number;
    uint which = min(uint(number * float(CLASSES)), CLASSES - 1u);
    atomicAdd(classes[kind * CLASSES + which], 1u);
}

void main() {
    uint n = gl_GlobalInvocationID.x;
    vec2 at = vec2(float(n % 32u), float(n / 32u));
    store(0u, n, of_sine(at));
    store(1u, n, of_products(at));
    store(2u, n, of_integers(n));
}
