// Mountains, marched along rays over a field of noise, as scenes of Shadertoy do. The camera is far from the origin.
#version 310 es
precision highp float;

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
uniform vec3 iResolution;
uniform float iTime;

float hash(vec2 p) {
    p = fract(p * vec2(0.1031, 0.1137));
    p += dot(p, p.yx + 33.33);
    return fract((p.x + p.y) * p.x);
}

// Value and slopes.
vec3 noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 f = fract(p);
    vec2 u = f * f * (3.0 - 2.0 * f);
    vec2 du = 6.0 * f * (1.0 - f);
    float a = hash(cell), b = hash(cell + vec2(1.0, 0.0));
    float c = hash(cell + vec2(0.0, 1.0)), d = hash(cell + vec2(1.0, 1.0));
    float e = a - b - c + d;
    return vec3(a + (b - a) * u.x + (c - a) * u.y + e * u.x * u.y, du * (vec2(b - a, c - a) + e * u.yx));
}

// Height and slopes: noise of several sizes, each turned against the one before.
vec3 ground(vec2 p) {
    vec3 sum = vec3(0.0);
    float size = 1.15;
    mat2 turned = mat2(1.0);
    for (int i = 0; i < 4; i++) {
        vec3 n = noise(turned * p);
        sum += size * vec3(n.x, n.yz * turned);
        size *= 0.3;
        turned = mat2(1.6, 1.2, -1.2, 1.6) * turned;
    }
    return sum;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    vec3 eye = vec3(2048.0, 1.55, iTime * 200.0);
    vec3 way = normalize(vec3(p.x, p.y - 0.32, 1.7));
    vec3 sun = normalize(vec3(-0.75, 0.5, 0.25));
    float towards = max(dot(way, sun), 0.0);
    vec3 sky = mix(vec3(0.95, 0.72, 0.52), vec3(0.25, 0.42, 0.7), clamp(way.y * 2.2 + 0.35, 0.0, 1.0));
    sky += vec3(1.0, 0.6, 0.3) * pow(towards, 8.0) * 0.5;
    float along = 0.3;
    bool hit = false;
    vec3 here = vec3(0.0);
    for (int i = 0; i < 40; i++) {
        vec3 at = eye + way * along;
        here = ground(at.xz);
        float above = at.y - here.x;
        if (above < 0.002 * along) {
            hit = true;
            break;
        }
        along += above * 0.5;
        if (along > 14.0) {
            break;
        }
    }
    vec3 tone = sky;
    if (hit) {
        vec3 normal = normalize(vec3(-here.y, 1.0, -here.z));
        float shade = clamp(dot(normal, sun), 0.0, 1.0);
        float flat_ground = smoothstep(0.5, 0.8, normal.y);
        vec3 rock = mix(vec3(0.36, 0.26, 0.21), vec3(0.25, 0.36, 0.13), flat_ground);
        float snow = smoothstep(0.75, 0.95, here.x) * smoothstep(0.4, 0.6, normal.y);
        rock = mix(rock, vec3(0.92, 0.93, 0.97), snow);
        tone = rock * (shade * vec3(1.7, 1.35, 1.0) + vec3(0.2, 0.26, 0.36) * (0.6 + 0.4 * normal.y));
        tone = mix(tone, sky, 1.0 - exp2(-along * along * 0.01));
    }
    fragColor = vec4(sqrt(clamp(tone, 0.0, 1.0)), 1.0);
}

void main() {
    mainImage(colour, place * iResolution.xy);
}
