// A field of clouds, as scenes of Shadertoy draw them: noise from a hash of sines, summed over octaves.
#version 310 es
precision highp float;

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
uniform vec3 iResolution;
uniform float iTime;

float hash(vec2 p) {
    return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453);
}

float noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 part = fract(p);
    part = part * part * (3.0 - 2.0 * part);
    float below = mix(hash(cell), hash(cell + vec2(1.0, 0.0)), part.x);
    float above = mix(hash(cell + vec2(0.0, 1.0)), hash(cell + vec2(1.0, 1.0)), part.x);
    return mix(below, above, part.y);
}

float cover(vec2 p) {
    float sum = 0.0, size = 0.5;
    for (int octave = 0; octave < 5; octave++) {
        sum += size * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 17.0;
        size *= 0.5;
    }
    return sum;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    vec3 way = normalize(vec3(p.x, p.y + 0.98, 1.7));
    vec3 sun = normalize(vec3(0.35, 0.42, 1.0));
    float towards = max(dot(way, sun), 0.0);
    vec3 sky = mix(vec3(0.78, 0.82, 0.88), vec3(0.16, 0.36, 0.68), pow(max(way.y, 0.0), 0.6));
    sky += vec3(1.0, 0.62, 0.3) * (pow(towards, 12.0) * 0.4 + pow(towards, 400.0));
    if (way.y > 0.02) {
        // The clouds are a layer above; the wind has blown since the start.
        vec2 at = way.xz / way.y * 1.1 + vec2(iTime * 0.03, iTime * 0.05);
        float here = cover(at * 1.5);
        float beside = cover(at * 1.5 + sun.xz * 0.18);
        float dense = smoothstep(0.4, 0.68, here);
        float lit = clamp(0.62 + 2.4 * (here - beside), 0.0, 1.0);
        vec3 cloud = mix(vec3(0.42, 0.45, 0.55), vec3(1.0, 0.97, 0.9), lit);
        cloud += vec3(1.0, 0.7, 0.4) * pow(towards, 6.0) * (1.0 - dense) * 0.7;
        float far = exp2(-0.3 / way.y * 0.5);
        sky = mix(sky, cloud, dense * far);
    }
    fragColor = vec4(min(sky, 1.0), 1.0);
}

void main() {
    mainImage(colour, place * iResolution.xy);
}
