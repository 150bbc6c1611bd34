// The corners of a window on a planet, and the planet's axes after many turns. globe.frag draws it.
#version 330

in vec2 corner;
uniform float day = 4000000.25;
uniform float tilt = 0.41;
out vec2 window;
flat out vec3 east;
flat out vec3 north;

void main() {
    // The angle of a day is its fraction of a turn; sines take the whole of it here.
    float angle = day * 6.2831853;
    east = vec3(cos(angle), 0.0, sin(angle));
    north = vec3(-sin(angle) * sin(tilt), cos(tilt), cos(angle) * sin(tilt));
    window = corner * 1.25;
    gl_Position = vec4(corner, 0.0, 1.0);
}
