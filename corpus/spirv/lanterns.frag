// Paper lanterns over a lake, measured in centimetres. Squares of distances pass 65504, the largest half.
precision mediump float;

varying vec2 place;
uniform vec4 heights;
uniform vec3 paper;
uniform vec3 night;

vec3 glow(vec2 at, vec2 lamp, vec3 tint) {
    vec2 way = at - lamp;
    float square = dot(way, way);
    float halo = 9000.0 / (square + 900.0);
    float body = 1.0 - smoothstep(480.0, 640.0, way.x * way.x + way.y * way.y * 0.6);
    return tint * (halo * 0.24 + body * (0.7 + 0.5 * cos(way.y * 0.24)));
}

void main() {
    // The lower part is a reflection, in waves that get longer towards the viewer.
    float shore = place.y + 0.18;
    float depth = max(-shore, 0.0);
    float ripple = sin(40.0 / (depth + 0.11)) * depth * 0.05;
    vec2 seen = vec2(place.x + ripple, abs(shore));
    vec2 at = seen * vec2(330.0, 300.0);
    vec3 light = night * (0.5 + seen.y);
    for (int i = 0; i < 4; i++) {
        float n = float(i);
        float x = (n - 1.5) * 150.0 + 24.0 * sin(n * 2.2);
        float y = i == 0 ? heights.x : i == 1 ? heights.y : i == 2 ? heights.z : heights.w;
        light += glow(at, vec2(x, y), paper + vec3(0.0, 0.1, 0.14) * (n - 1.5) * 0.5);
    }
    light *= shore < 0.0 ? vec3(0.42, 0.5, 0.62) : vec3(1.0);
    gl_FragColor = vec4(light / (light + 0.55), 1.0);
}
