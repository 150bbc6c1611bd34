// A kilim. Two varyings in mediump say where its pattern is and where its wool, near 20, where halves are 1/64 apart; all else is
// computed in highp. Which pixels fall together depends on whether a unit reads varyings as halves, and on whether it leaves those
// alone that go straight to a lookup.
precision highp float;

varying mediump vec2 thread;
varying mediump vec2 fleece;
uniform sampler2D wool;
uniform vec4 loom;
uniform vec4 warp;
uniform vec4 weft;

void main() {
    vec2 at = (thread - loom.xy) * loom.z;
    vec2 fold = abs(fract(at) - 0.5);
    float diamond = fract((fold.x + fold.y) * 4.0);
    float edge = smoothstep(0.42, 0.58, diamond) * (1.0 - smoothstep(0.9, 1.0, diamond));
    vec2 knot = sin(at * loom.w);
    float relief = 0.85 + 0.15 * knot.x * knot.y;
    vec3 yarn = mix(warp.rgb, weft.rgb, edge);
    vec3 shade = texture2D(wool, fleece).rgb;
    gl_FragColor = vec4(yarn * relief * (0.5 + shade), 1.0);
}
