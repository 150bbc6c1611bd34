// A blend under the lens: one ring for every binary32 number. The formulas are those of tgsi/ulp_rings.
#version 450

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform Rings {
    vec4 zoom;
    vec4 ends;
    vec4 phase;
    vec4 swing;
    vec4 middle;
};

void main() {
    vec2 squares = place * place;
    float weight = (squares.x + squares.y) * zoom.x;
    float blend = mix(ends.y, ends.x, weight);
    float steps = (blend - ends.y) * 8388608.0;
    vec3 tone = cos(fma(vec3(steps), phase.www, phase.xyz));
    float shade = fma(weight, -swing.w, 1.0);
    colour = vec4(clamp(fma(tone, swing.xyz, middle.xyz) * shade, 0.0, 1.0), 1.0);
}
