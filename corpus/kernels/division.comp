#version 450
// Quotients by Newton's iteration from a rough start, beside the division of the machine and what a product gives back.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Numbers { float numbers[]; };
layout(std430, binding = 1) writeonly buffer Quotients { float quotients[]; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    float a = 1.0 + numbers[2u * at], b = 1.0 + numbers[2u * at + 1u];
    float r = 48.0 / 17.0 - 32.0 / 17.0 * (b * 0.5);
    r *= 0.5;
    for (int n = 0; n < 3; n++) {
        r += r * (1.0 - b * r);
    }
    float quotient = a * r;
    quotient += r * (a - b * quotient);
    float own = a / b;
    uint to = 3u * at;
    quotients[to] = quotient;
    quotients[to + 1u] = own;
    quotients[to + 2u] = own * b - a;
}
