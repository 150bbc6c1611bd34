// Orbit traps of a Julia set. The formulas are those of tgsi/julia.
#version 450

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform Julia {
    vec4 seed;
    vec4 bounds;
    vec4 night;
    vec4 gold;
    vec4 far;
};

void main() {
    vec2 z = place * seed.zw;
    vec3 trap = far.xyz;
    float count = 0.0;
    while (true) {
        if (count >= bounds.x) {
            break;
        }
        vec2 squares = z * z;
        float norm = squares.x + squares.y;
        if (norm >= 16.0) {
            break;
        }
        trap = min(trap, vec3(norm, abs(z.x), abs(z.y)));
        float product = z.x * z.y;
        z = vec2(squares.x - squares.y + seed.x, fma(product, 2.0, seed.y));
        count += 1.0;
    }
    vec2 stalks = exp2(-(trap.yz * bounds.y));
    float core = clamp(trap.x * inversesqrt(trap.x), 0.0, 1.0);
    float depth = clamp(count * bounds.z, 0.0, 1.0);
    vec3 tone = night.xyz * depth;
    tone = fma(gold.xyz, stalks.xxx, tone);
    tone = fma(gold.zyx, stalks.yyy, tone);
    colour = vec4(clamp(tone * fma(core, night.w, gold.w), 0.0, 1.0), 1.0);
}
