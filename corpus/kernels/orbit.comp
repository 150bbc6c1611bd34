#version 450
// Eight bodies under their own gravity; after every 8 steps the energy, which should stay what it was.
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer Start { float start[]; };
layout(std430, binding = 1) writeonly buffer Energies { float energies[]; };

shared vec4 place[8];
shared float part[8];

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint at = (gl_WorkGroupID.x * 8u + lane) * 4u;
    float turn = 0.785398163 * float(lane) + start[at] * 0.1;
    vec3 position = vec3(cos(turn), sin(turn), 0.2 * start[at + 1u] - 0.1) * (1.0 + 0.3 * start[at + 2u]);
    vec3 velocity = vec3(-sin(turn), cos(turn), 0.0) * 0.9;
    float mass = 0.05 + 0.1 * start[at + 3u];
    for (uint frame = 0u; frame < 12u; frame++) {
        for (uint n = 0u; n < 8u; n++) {
            place[lane] = vec4(position, mass);
            barrier();
            vec3 pull = vec3(0.0);
            for (uint k = 0u; k < 8u; k++) {
                vec3 away = place[k].xyz - position;
                float near = inversesqrt(dot(away, away) + 0.01);
                pull += away * (place[k].w * near * near * near);
            }
            velocity += pull * 0.016;
            position += velocity * 0.016;
            barrier();
        }
        place[lane] = vec4(position, mass);
        barrier();
        float energy = 0.5 * mass * dot(velocity, velocity);
        for (uint k = 0u; k < lane; k++) {
            energy -= mass * place[k].w * inversesqrt(dot(place[k].xyz - position, place[k].xyz - position) + 0.01);
        }
        part[lane] = energy;
        barrier();
        if (lane == 0u) {
            float sum = 0.0;
            for (uint k = 0u; k < 8u; k++) {
                sum += part[k];
            }
            energies[gl_WorkGroupID.x * 12u + frame] = sum;
        }
        barrier();
    }
}
