// The floor of a pool. Light is denser where the surface bends it together: one over the area that a beam comes to.
precision mediump float;

varying vec2 place;
uniform float time;
uniform vec3 deep;
uniform vec3 shallow;
uniform vec3 sun;

void main() {
    vec2 p = place * 4.2;
    vec2 slope = vec2(0.0);
    float xx = 1.0, yy = 1.0, xy = 0.0;
    for (int i = 0; i < 9; i++) {
        float n = float(i);
        float turn = n * 2.4 + 0.3;
        vec2 wave = vec2(cos(turn), sin(turn)) * (1.2 + 0.17 * n);
        float phase = dot(wave, p) + time * (0.7 + 0.2 * n);
        float height = 0.21 / (1.0 + 0.14 * n);
        slope += wave * (cos(phase) * height);
        float bend = sin(phase) * height;
        xx -= bend * wave.x * wave.x;
        yy -= bend * wave.y * wave.y;
        xy -= bend * wave.x * wave.y;
    }
    float area = abs(xx * yy - xy * xy);
    float light = 0.26 / (area + 0.1);
    // Tiles, seen through the surface.
    vec2 floor_place = p * 0.8 + slope * 0.22;
    vec2 tile = abs(fract(floor_place) - 0.5);
    float joint = smoothstep(0.41, 0.48, max(tile.x, tile.y));
    vec3 ground = mix(shallow, deep, 0.35 + 0.3 * place.y);
    ground *= 1.0 - 0.45 * joint;
    vec3 lit = ground * (0.55 + 0.6 * light) + sun * (light * light * 0.16);
    gl_FragColor = vec4(lit / (1.0 + 0.35 * lit), 1.0);
}
