// A flag in the wind: a grid of points moved along the normal of the cloth. flag.frag shades it.
attribute vec2 grid;
uniform mat4 view;
uniform float time;
varying vec2 weave;
varying vec3 normal;

void main() {
    // Nothing moves at the pole.
    float slack = grid.x * 0.22;
    float phase = grid.x * 9.0 - time * 7.0 + grid.y * 1.6;
    float depth = sin(phase) * slack;
    vec2 slope = vec2(cos(phase) * slack * 9.0 + sin(phase) * 0.22, cos(phase) * slack * 1.6);
    weave = grid;
    normal = normalize(vec3(-slope, 1.0));
    gl_Position = view * vec4(grid * vec2(1.8, 1.1) - vec2(0.9, 0.55), depth, 1.0);
}
