// A courtyard of stone and wet ground under several lamps: noise, a normal map made of it, shadows, fog, tone mapping.
#version 450

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tangent;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec4 colour;

const int LAMPS = 4;

struct Lamp {
    vec3 place;
    float reach;
    vec3 light;
    float angle;
};

layout(set = 0, binding = 0) uniform Scene {
    mat4 view;
    vec4 eye;
    vec4 sun;
    vec4 sky;
    vec4 fog;
    float time;
    float wetness;
    float exposure;
    float roughness;
    Lamp lamps[LAMPS];
} scene;

layout(set = 0, binding = 1) uniform sampler2D stone;
layout(set = 0, binding = 2) uniform sampler2D grime;
layout(set = 0, binding = 3) uniform sampler2D shadow;

float hash(vec2 p) {
    p = fract(p * vec2(0.1031, 0.1137));
    p += dot(p, p.yx + 33.33);
    return fract((p.x + p.y) * p.x);
}

float noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 f = fract(p);
    vec2 s = f * f * (3.0 - 2.0 * f);
    float a = hash(cell);
    float b = hash(cell + vec2(1.0, 0.0));
    float c = hash(cell + vec2(0.0, 1.0));
    float d = hash(cell + vec2(1.0, 1.0));
    return mix(mix(a, b, s.x), mix(c, d, s.x), s.y);
}

float layers(vec2 p) {
    float sum = 0.0;
    float weight = 0.5;
    for (int i = 0; i < 5; i++) {
        sum += weight * noise(p);
        p = p * 2.03 + vec2(1.7, -0.9);
        weight *= 0.5;
    }
    return sum;
}

vec3 bumped(vec2 at, vec3 n, vec3 t) {
    float e = 0.01;
    float here = layers(at * 8.0);
    float right = layers((at + vec2(e, 0.0)) * 8.0);
    float above = layers((at + vec2(0.0, e)) * 8.0);
    vec3 b = cross(n, t);
    vec3 slope = t * (here - right) / e + b * (here - above) / e;
    return normalize(n + 0.05 * slope);
}

float puddle(vec2 at) {
    float depth = layers(at * 0.7) - 0.45;
    return smoothstep(0.0, 0.12, depth) * scene.wetness;
}

vec2 ripples(vec2 at) {
    vec2 sum = vec2(0.0);
    for (int i = 0; i < 3; i++) {
        float k = float(i) + 1.0;
        vec2 centre = vec2(hash(vec2(k, floor(scene.time))), hash(vec2(floor(scene.time), k)));
        vec2 d = at - centre * 4.0;
        float r = length(d);
        float wave = sin(r * 40.0 - scene.time * 12.0) * exp(-r * 4.0);
        sum += d / max(r, 0.001) * wave;
    }
    return sum * 0.02;
}

float distribution(float nh, float a) {
    float a2 = a * a;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    return a2 / (3.14159265 * d * d);
}

float visibility(float nv, float nl, float a) {
    float k = (a + 1.0) * (a + 1.0) / 8.0;
    float gv = nv / (nv * (1.0 - k) + k);
    float gl = nl / (nl * (1.0 - k) + k);
    return gv * gl;
}

vec3 fresnel(float vh, vec3 f0) {
    return f0 + (1.0 - f0) * pow(1.0 - vh, 5.0);
}

vec3 lit(vec3 n, vec3 v, vec3 l, vec3 light, vec3 base, vec3 f0, float rough) {
    vec3 h = normalize(v + l);
    float nl = max(dot(n, l), 0.0);
    float nv = max(dot(n, v), 0.001);
    float nh = max(dot(n, h), 0.0);
    float vh = max(dot(v, h), 0.0);
    float a = rough * rough;
    vec3 f = fresnel(vh, f0);
    vec3 specular = distribution(nh, a) * visibility(nv, nl, rough) * f / max(4.0 * nv * nl, 0.001);
    vec3 diffuse = (1.0 - f) * base / 3.14159265;
    return (diffuse + specular) * light * nl;
}

float occluded(vec3 at) {
    vec4 place = scene.view * vec4(at, 1.0);
    vec3 p = place.xyz / place.w * 0.5 + 0.5;
    if (p.x < 0.0 || p.x > 1.0 || p.y < 0.0 || p.y > 1.0) {
        return 1.0;
    }
    float sum = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 offset = vec2(float(x), float(y)) / 1024.0;
            float nearest = texture(shadow, p.xy + offset).x;
            sum += p.z - 0.002 > nearest ? 0.0 : 1.0;
        }
    }
    return sum / 9.0;
}

vec3 lamps(vec3 n, vec3 v, vec3 base, vec3 f0, float rough) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < LAMPS; i++) {
        Lamp lamp = scene.lamps[i];
        vec3 to = lamp.place - position;
        float far = length(to);
        if (far > lamp.reach) {
            continue;
        }
        vec3 l = to / far;
        float fade = 1.0 - smoothstep(lamp.reach * 0.5, lamp.reach, far);
        float cone = smoothstep(lamp.angle, lamp.angle + 0.1, dot(-l, vec3(0.0, -1.0, 0.0)));
        float flicker = 0.9 + 0.1 * sin(scene.time * 9.0 + float(i) * 2.4);
        vec3 light = lamp.light * fade * cone * flicker / (1.0 + far * far);
        sum += lit(n, v, l, light, base, f0, rough);
    }
    return sum;
}

vec3 mapped(vec3 c) {
    c *= scene.exposure;
    vec3 upper = c * (2.51 * c + 0.03);
    vec3 lower = c * (2.43 * c + 0.59) + 0.14;
    vec3 curve = clamp(upper / lower, 0.0, 1.0);
    return pow(curve, vec3(1.0 / 2.2));
}

void main() {
    vec3 n = normalize(normal);
    vec3 t = normalize(tangent - n * dot(n, tangent));
    vec3 v = normalize(scene.eye.xyz - position);
    vec3 base = texture(stone, uv).rgb;
    float dirt = texture(grime, uv * 0.25).r;
    base = mix(base, base * vec3(0.6, 0.5, 0.4), dirt);
    float rough = clamp(scene.roughness + 0.3 * dirt, 0.05, 1.0);
    vec3 f0 = vec3(0.04);

    vec3 bump = bumped(uv, n, t);
    float water = n.y > 0.7 ? puddle(position.xz) : 0.0;
    vec2 ring = ripples(position.xz);
    vec3 calm = normalize(n + vec3(ring.x, 0.0, ring.y));
    vec3 surface = normalize(mix(bump, calm, water));
    base *= mix(1.0, 0.5, water);
    rough = mix(rough, 0.08, water);

    vec3 sun = normalize(scene.sun.xyz);
    vec3 sum = lit(surface, v, sun, vec3(scene.sun.w), base, f0, rough) * occluded(position);
    sum += lamps(surface, v, base, f0, rough);
    vec3 mirrored = reflect(-v, surface);
    float up = clamp(mirrored.y * 0.5 + 0.5, 0.0, 1.0);
    sum += scene.sky.rgb * mix(0.1, 1.0, up) * fresnel(max(dot(surface, v), 0.0), f0) * (0.2 + water);
    sum += base * scene.sky.rgb * 0.15 * (surface.y * 0.5 + 0.5);

    float far = length(scene.eye.xyz - position);
    float thick = 1.0 - exp(-far * scene.fog.w);
    sum = mix(sum, scene.fog.rgb, thick);
    if (any(isnan(sum))) {
        discard;
    }
    colour = vec4(mapped(sum), 1.0);
}
