// The cloth of flag_vertex.vert: a sun on stripes, with threads, lit along its waves.
precision mediump float;

varying vec2 weave;
uniform vec3 light;
uniform float time;
uniform vec3 red;
uniform vec3 gold;
uniform vec3 blue;

void main() {
    // Per pixel what flag_vertex.vert does per vertex.
    float slack = weave.x * 0.22;
    float phase = weave.x * 9.0 - time * 7.0 + weave.y * 1.6;
    vec2 slope = vec2(cos(phase) * slack * 9.0 + sin(phase) * 0.22, cos(phase) * slack * 1.6);
    vec3 normal = normalize(vec3(-slope, 1.0));
    vec2 p = (weave - 0.5) * vec2(1.8, 1.1);
    float radius = length(p);
    float angle = atan(p.y, p.x);
    float rays = step(0.0, sin(angle * 12.0)) * step(0.24, radius);
    vec3 cloth = mix(red, blue, rays);
    cloth = mix(cloth, gold, 1.0 - smoothstep(0.2, 0.21, radius));
    cloth = mix(cloth, gold, smoothstep(0.025, 0.02, abs(radius - 0.27)));
    float thread = 0.93 + 0.07 * sin(weave.x * 310.0) * sin(weave.y * 190.0);
    float shade = dot(normal, normalize(light));
    float gloss = pow(max(shade, 0.0), 20.0);
    gl_FragColor = vec4(min(cloth * thread * (0.3 + 0.75 * max(shade, 0.0)) + 0.2 * gloss, 1.0), 1.0);
}
