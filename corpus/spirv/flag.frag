// The cloth of flag_vertex.vert: a star over waves, with threads, lit along its waves.
precision mediump float;

varying vec2 weave;
uniform vec3 light;
uniform float time;
uniform vec3 ground;
uniform vec3 stripe;
uniform vec3 gold;

void main() {
    // Per pixel what flag_vertex.vert does per vertex.
    float slack = weave.x * 0.22;
    float phase = weave.x * 9.0 - time * 7.0 + weave.y * 1.6;
    vec2 slope = vec2(cos(phase) * slack * 9.0 + sin(phase) * 0.22, cos(phase) * slack * 1.6);
    vec3 normal = normalize(vec3(-slope, 1.0));
    vec2 p = (weave - vec2(0.36, 0.5)) * vec2(1.8, 1.1);
    float radius = length(p);
    float angle = atan(p.y, p.x);
    // Waves of the sea below, a star above them.
    float level = weave.y * 9.0 + 0.35 * sin(weave.x * 22.0);
    vec3 cloth = mix(ground, stripe, step(0.5, fract(level)) * step(level, 4.0));
    float star = 0.16 + 0.12 * abs(fract(angle * 1.2732395) - 0.5);
    cloth = mix(cloth, gold, smoothstep(star + 0.004, star - 0.004, radius - 0.08));
    cloth = mix(cloth, ground, smoothstep(0.012, 0.008, abs(radius - 0.15)));
    float thread = 0.93 + 0.07 * sin(weave.x * 310.0) * sin(weave.y * 190.0);
    float shade = dot(normal, normalize(light));
    float gloss = pow(max(shade, 0.0), 20.0);
    gl_FragColor = vec4(min(cloth * thread * (0.3 + 0.75 * max(shade, 0.0)) + 0.2 * gloss, 1.0), 1.0);
}
