// Dunes at dusk. Each row adds haze, and the sky is a product of powers: in half, both come in bands.
precision mediump float;

varying vec2 place;
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 sand;
uniform vec2 sun;

float ridge(float x, float n) {
    float wide = sin(x * (1.3 + 0.35 * n) + n * 4.1);
    float crest = 1.0 - abs(sin(x * (0.9 + 0.22 * n) + n * 1.7));
    return 0.12 - 0.17 * n + 0.08 * wide + 0.17 * crest * crest;
}

void main() {
    float height = max(place.y + 0.1, 0.0);
    vec3 sky = mix(horizon, zenith, 1.0 - pow(1.0 - 0.85 * min(height, 1.0), 3.0));
    vec2 way = (place - sun) * vec2(1.0, 1.15);
    float square = dot(way, way);
    sky += vec3(1.0, 0.55, 0.2) * (0.02 / (square + 0.022));
    sky = mix(sky, vec3(1.0, 0.93, 0.75), 1.0 - smoothstep(0.028, 0.032, square));
    vec3 colour = sky;
    for (int i = 0; i < 5; i++) {
        float n = float(i);
        float top = ridge(place.x, n);
        float slope = (ridge(place.x + 0.01, n) - top) / 0.01;
        // Lee sides are dark.
        float lit = clamp(0.55 + slope * clamp(1.6 * (sun.x - place.x), -0.9, 0.9), 0.0, 1.0);
        float below = top - place.y;
        float grain = 0.04 * sin(dot(place, vec2(31.0, 260.0 - 40.0 * n)) + 9.0 * slope);
        vec3 face = sand * (0.16 + 0.75 * lit + grain) * exp2(-below * (1.2 + 0.3 * n));
        float haze = exp2(-0.9 * n - 0.2);
        face = mix(face, horizon * 0.9, haze);
        colour = mix(colour, face, smoothstep(0.0, 0.008, below));
    }
    gl_FragColor = vec4(min(colour, 1.0), 1.0);
}
