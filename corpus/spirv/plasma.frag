// Four waves of a clock that runs for two days. The formulas are those of tgsi/plasma.
#version 450

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform Plasma {
    vec4 clock;
    vec4 scale;
    vec4 speed;
    vec4 phase;
    vec4 swing;
};

void main() {
    vec4 wave;
    wave.xy = place * scale.xy;
    wave.z = (place.x + place.y) * scale.z;
    vec2 squares = place * place;
    float distance2 = squares.x + squares.y + 0.25;
    wave.w = distance2 * inversesqrt(distance2) * scale.w;
    wave = fma(clock.xxxx, speed, wave);
    float sum = dot(sin(wave), vec4(1.0));
    vec3 tone = cos(fma(vec3(sum), clock.yyy, phase.xyz));
    colour = vec4(clamp(fma(tone, swing.xyz, vec3(0.5)), 0.0, 1.0), 1.0);
}
