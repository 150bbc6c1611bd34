// A planet with seas, clouds and a night side, from a ray that meets a sphere.
#version 330

in vec2 window;
uniform float day = 4000000.25;
uniform float tilt = 0.41;
uniform vec3 sun = vec3(-0.62, 0.42, 0.66);
out vec4 colour;

float waves(vec3 p) {
    float sum = 0.0, size = 0.5;
    for (int i = 0; i < 6; i++) {
        sum += size * sin(p.x + 1.3 * sin(p.y * 1.1 + float(i))) * cos(p.z + 0.9 * sin(p.x * 0.8));
        p = p.yzx * 1.75 + 2.1;
        size *= 0.6;
    }
    return sum;
}

void main() {
    float angle = day * 6.2831853;
    vec3 east = vec3(cos(angle), 0.0, sin(angle));
    vec3 north = vec3(-sin(angle) * sin(tilt), cos(tilt), cos(angle) * sin(tilt));
    float square = dot(window, window);
    vec3 light = normalize(sun);
    // Air around the planet, and stars behind it.
    float rim = sqrt(square) - 1.0;
    vec3 tone = vec3(0.16, 0.34, 0.75) * exp2(-max(rim, 0.0) * 26.0) * (0.35 + 0.65 * max(dot(vec3(window, 0.1), light), 0.0));
    vec2 cell = floor(window * 45.0);
    float star = fract(sin(dot(cell, vec2(12.9898, 78.233))) * 43758.5453);
    tone += vec3(1.0, 0.95, 0.85) * smoothstep(0.985, 1.0, star) * step(0.04, rim);
    if (square < 1.0) {
        vec3 normal = vec3(window, sqrt(1.0 - square));
        vec3 ground = vec3(dot(normal, east), dot(normal, north), dot(normal, cross(east, north)));
        float land = waves(ground * 2.2 + 1.7);
        float cover = waves(ground.zxy * 3.4 + land);
        float ice = smoothstep(0.8, 0.86, abs(ground.y) + 0.06 * land);
        vec3 sea = mix(vec3(0.01, 0.07, 0.22), vec3(0.03, 0.24, 0.38), smoothstep(-0.4, 0.05, land));
        vec3 soil = mix(vec3(0.1, 0.27, 0.08), vec3(0.48, 0.38, 0.2), smoothstep(0.1, 0.5, land));
        float coast = smoothstep(0.04, 0.07, land);
        vec3 face = mix(mix(sea, soil, coast), vec3(0.9), ice);
        float cloud = smoothstep(0.2, 0.55, cover);
        face = mix(face, vec3(1.0), cloud * 0.85);
        float shade = dot(normal, light);
        float day_side = smoothstep(-0.1, 0.25, shade);
        vec3 mirrored = reflect(-light, normal);
        float glint = pow(max(mirrored.z, 0.0), 40.0) * (1.0 - coast) * (1.0 - cloud);
        tone = face * (0.02 + 1.05 * max(shade, 0.0)) + vec3(0.9, 0.8, 0.6) * glint * 0.6;
        // Towns by night.
        float town = smoothstep(0.6, 0.9, sin(ground.x * 60.0) * sin(ground.y * 70.0 + land * 9.0) * sin(ground.z * 66.0));
        tone += vec3(1.0, 0.7, 0.3) * town * coast * (1.0 - day_side) * (1.0 - ice) * 0.8;
        tone += vec3(0.2, 0.42, 0.85) * pow(1.0 - normal.z, 3.0) * day_side * 0.8;
    }
    colour = vec4(min(tone, 1.0), 1.0);
}
