// Folds of silk. The light comes from a difference of two heights close to each other, of which half keeps a few bits.
precision mediump float;

varying vec2 place;
uniform vec3 cloth;
uniform vec3 sheen;
uniform vec4 light;

float folds(vec2 p) {
    float height = 0.0, size = 1.0;
    for (int i = 0; i < 4; i++) {
        p += vec2(sin(p.y * 1.7 + 0.6), cos(p.x * 1.3 - 0.4)) * 0.55;
        height += sin(p.x * 1.4 + p.y) * size;
        p = p * 1.35 + vec2(0.9, -0.5);
        size *= 0.55;
    }
    return height;
}

void main() {
    vec2 p = place * 2.1;
    const float near = 0.02;
    float here = folds(p);
    vec2 slope = vec2(folds(p + vec2(near, 0.0)) - here, folds(p + vec2(0.0, near)) - here) / near;
    vec3 normal = normalize(vec3(-slope * 0.55, 1.0));
    vec3 sun = normalize(light.xyz);
    float shade = max(dot(normal, sun), 0.0);
    float along = dot(normal, normalize(sun + vec3(0.0, 0.0, 1.0)));
    float gloss = pow(max(along, 0.0), light.w);
    vec3 tint = mix(cloth, cloth.zxy, clamp(0.35 + 0.25 * here, 0.0, 1.0));
    vec3 lit = tint * (0.12 + 0.85 * shade) + sheen * gloss * 0.8;
    gl_FragColor = vec4(sqrt(min(lit, 1.0)), 1.0);
}
