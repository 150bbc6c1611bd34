/* Runs code that benches/benches/cranelift.rs wrote: four lanes a call. Prints million lanes per second, the best of turns. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { CALLS = 240, TURNS = 40, ROUNDS = 40 };

typedef void function(const float *attributes, const float *constants, float *outputs);

int main(int count, char **names) {
    static _Alignas(64) float in[CALLS][64], out[CALLS][16], constants[256];
    for (int n = 0; n < CALLS * 64; n++) in[n / 64][n % 64] = 0.1f + n % 977 / 1000.0f;
    for (int n = 0; n < 256; n++) constants[n] = 0.1f + 0.03f * (n / 4) + 0.05f * (n % 4);
    for (int n = 1; n < count; n++) {
        FILE *file = fopen(names[n], "rb");
        if (!file) { perror(names[n]); return 1; }
        size_t room = 1 << 24;
        char *code = mmap(0, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        size_t length = fread(code, 1, room, file);
        fclose(file);
        mprotect(code, room, PROT_READ | PROT_EXEC);
        double best = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            struct timespec from, to;
            clock_gettime(CLOCK_MONOTONIC, &from);
            for (int round = 0; round < ROUNDS; round++)
                for (int call = 0; call < CALLS; call++) ((function *)code)(in[call], constants, out[call]);
            clock_gettime(CLOCK_MONOTONIC, &to);
            double seconds = to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9;
            double rate = 4.0 * CALLS * ROUNDS / seconds / 1e6;
            if (rate > best) best = rate;
        }
        printf("%s %zu bytes %.0f million lanes/s\n", names[n], length, best);
    }
    return 0;
}
