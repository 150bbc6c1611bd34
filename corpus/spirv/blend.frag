// Three films over a sky, developed by four doublings. The formulas are those of tgsi/blend.
#version 450

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform Films {
    vec4 centre_x;
    vec4 centre_y;
    vec4 disc;
    vec4 sky;
    vec4 ground;
    vec4 cyan;
    vec4 magenta;
    vec4 yellow;
    vec4 paper;
};

void main() {
    vec3 x = place.xxx - centre_x.xyz;
    vec3 y = place.yyy - centre_y.xyz;
    vec3 distance2 = fma(y, y, x * x);
    vec3 edge = disc.xxx - distance2;
    edge += edge;
    edge += edge;
    edge += edge;
    edge += edge;
    edge = clamp(edge + edge, 0.0, 1.0);
    vec3 cover = edge * fma(distance2, disc.yyy, disc.zzz);
    float height = fma(place.y, 0.5, 0.5);
    vec3 film = mix(ground.xyz, sky.xyz, vec3(height));
    film = mix(film, cyan.xyz, vec3(cover.x));
    film = mix(film, magenta.xyz, vec3(cover.y));
    film = mix(film, yellow.xyz, vec3(cover.z));
    film -= paper.xyz;
    film += film;
    film += film;
    film += film;
    colour = vec4(clamp(film + film, 0.0, 1.0), 1.0);
}
