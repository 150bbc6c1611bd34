/* The kernels of benches/benches/kernels.rs in C, on the same numbers: a workgroup is a turn of a loop, what lies between two barriers a
   loop over its invocations, and whatever lives across a barrier an array.

       kernels [SECONDS]

   Prints a row each: name, milliseconds of the fastest run, checksum of the results. A kernel runs again and again for SECONDS. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static uint32_t number(uint32_t n)
{
    uint32_t mixed = n * 0x9e3779b9u;
    return (mixed << 9 | mixed >> 23) ^ n;
}

static uint32_t ror(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

/* SHA-256: 64 workgroups of 256, an invocation compresses one block. */

enum { BLOCKS = 16384 };
static uint32_t blocks[BLOCKS * 16], digests[BLOCKS * 8];
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static void sha256_start(void)
{
    for (int n = 0; n < BLOCKS * 16; n++)
        blocks[n] = number(n);
    for (int n = 0; n < BLOCKS; n++) {
        blocks[n * 16 + 13] = 1u << 31;
        blocks[n * 16 + 14] = 0;
        blocks[n * 16 + 15] = 52 * 8;
    }
}

static void sha256(void)
{
    for (int group = 0; group < BLOCKS / 256; group++)
        for (int local = 0; local < 256; local++) {
            const uint32_t *block = blocks + (group * 256 + local) * 16;
            uint32_t *digest = digests + (group * 256 + local) * 8;
            uint32_t w[64];
            for (int t = 0; t < 16; t++)
                w[t] = block[t];
            for (int t = 16; t < 64; t++)
                w[t] = w[t - 16] + (ror(w[t - 15], 7) ^ ror(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 7]
                    + (ror(w[t - 2], 17) ^ ror(w[t - 2], 19) ^ w[t - 2] >> 10);
            uint32_t a = initial[0], b = initial[1], c = initial[2], d = initial[3];
            uint32_t e = initial[4], f = initial[5], g = initial[6], h = initial[7];
            for (int t = 0; t < 64; t++) {
                uint32_t first = h + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + (g ^ (e & (f ^ g))) + constants[t] + w[t];
                uint32_t second = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) | (c & (a | b)));
                h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
            }
            uint32_t working[8] = {a, b, c, d, e, f, g, h};
            for (int n = 0; n < 8; n++)
                digest[n] = initial[n] + working[n];
        }
}

/* Matrix product: 16 by 16 workgroups of 16 by 16, tiles in the memory of the workgroup. */

enum { SIDE = 256, TILE = 16 };
static float matrix_a[SIDE * SIDE], matrix_b[SIDE * SIDE], matrix_c[SIDE * SIDE];

static void matrix_product_start(void)
{
    for (int n = 0; n < SIDE * SIDE; n++) {
        matrix_a[n] = (number(n) >> 8) / 65536.0f - 128.0f;
        matrix_b[n] = (number(n + SIDE * SIDE) >> 8) / 65536.0f - 128.0f;
    }
}

static void matrix_product(void)
{
    for (int group_y = 0; group_y < SIDE / TILE; group_y++)
        for (int group_x = 0; group_x < SIDE / TILE; group_x++) {
            float tile_a[TILE][TILE], tile_b[TILE][TILE], sum[TILE][TILE];
            for (int y = 0; y < TILE; y++)
                for (int x = 0; x < TILE; x++)
                    sum[y][x] = 0;
            for (int tile = 0; tile < SIDE / TILE; tile++) {
                for (int y = 0; y < TILE; y++)
                    for (int x = 0; x < TILE; x++) {
                        tile_a[y][x] = matrix_a[(group_y * TILE + y) * SIDE + tile * TILE + x];
                        tile_b[y][x] = matrix_b[(tile * TILE + y) * SIDE + group_x * TILE + x];
                    }
                for (int y = 0; y < TILE; y++)
                    for (int x = 0; x < TILE; x++)
                        for (int n = 0; n < TILE; n++)
                            sum[y][x] = fmaf(tile_a[y][n], tile_b[n][x], sum[y][x]);
            }
            for (int y = 0; y < TILE; y++)
                for (int x = 0; x < TILE; x++)
                    matrix_c[(group_y * TILE + y) * SIDE + group_x * TILE + x] = sum[y][x];
        }
}

/* N-body: one workgroup of 256, an invocation sums what all bodies do to its own. */

enum { BODIES = 256 };
static float bodies[BODIES * 4], accelerations[BODIES * 4];

static void n_body_start(void)
{
    for (int n = 0; n < BODIES * 4; n++)
        bodies[n] = (number(n) >> 8) / 8388608.0f - 1.0f;
}

static void n_body(void)
{
    for (int local = 0; local < BODIES; local++) {
        float x = bodies[local * 4], y = bodies[local * 4 + 1], z = bodies[local * 4 + 2];
        float sum_x = 0, sum_y = 0, sum_z = 0;
        for (int n = 0; n < BODIES; n++) {
            float to_x = bodies[n * 4] - x, to_y = bodies[n * 4 + 1] - y, to_z = bodies[n * 4 + 2] - z;
            float inverse = 1.0f / sqrtf(fmaf(to_x, to_x, fmaf(to_y, to_y, fmaf(to_z, to_z, 0x1p-7f))));
            float scale = bodies[n * 4 + 3] * (inverse * (inverse * inverse));
            sum_x = fmaf(to_x, scale, sum_x);
            sum_y = fmaf(to_y, scale, sum_y);
            sum_z = fmaf(to_z, scale, sum_z);
        }
        accelerations[local * 4] = sum_x;
        accelerations[local * 4 + 1] = sum_y;
        accelerations[local * 4 + 2] = sum_z;
    }
}

/* Mandelbrot: 8 by 8 workgroups of 16 by 16 points. */

enum { POINTS = 128, MOST = 200 };
static uint32_t steps[POINTS * POINTS];

static void mandelbrot(void)
{
    for (int group_y = 0; group_y < POINTS / 16; group_y++)
        for (int group_x = 0; group_x < POINTS / 16; group_x++)
            for (int local_y = 0; local_y < 16; local_y++)
                for (int local_x = 0; local_x < 16; local_x++) {
                    int point_x = group_x * 16 + local_x, point_y = group_y * 16 + local_y;
                    double re = fma(point_x, 3.0 / 128, -2.25), im = fma(point_y, 3.0 / 128, -1.5);
                    double x = 0, y = 0;
                    uint32_t count = 0;
                    for (;;) {
                        double xx = x * x, yy = y * y;
                        if (!(xx + yy <= 4.0 && count < MOST))
                            break;
                        y = fma(x + x, y, im);
                        x = xx - yy + re;
                        count++;
                    }
                    steps[point_y * POINTS + point_x] = count;
                }
}

/* Prefix sum: 16 workgroups of 1,024 with 21 barriers. It works in place, so every run starts by getting the numbers again. */

enum { NUMBERS = 16384, GROUP = 1024 };
static uint32_t given[NUMBERS], data[NUMBERS];

static void prefix_sum_start(void)
{
    for (int n = 0; n < NUMBERS; n++)
        given[n] = number(n);
}

static void prefix_sum(void)
{
    memcpy(data, given, sizeof data);
    for (int group = 0; group < NUMBERS / GROUP; group++) {
        uint32_t shared[GROUP], sum[GROUP];
        for (int local = 0; local < GROUP; local++)
            shared[local] = data[group * GROUP + local];
        for (int reach = 1; reach < GROUP; reach *= 2) {
            for (int local = 0; local < GROUP; local++)
                sum[local] = shared[local] + (local >= reach ? shared[local - reach] : 0);
            for (int local = 0; local < GROUP; local++)
                shared[local] = sum[local];
        }
        for (int local = 0; local < GROUP; local++)
            data[group * GROUP + local] = shared[local];
    }
}

static void nothing(void)
{
}

/* Noinline, or the compiler might see that all runs do the same. */
static __attribute__((noinline)) double run(void (*volatile kernel)(void))
{
    double start = seconds_now();
    kernel();
    return seconds_now() - start;
}

static void measure(const char *name, void (*start)(void), void (*kernel)(void), const void *results, size_t size, double seconds)
{
    start();
    run(kernel);
    double least = INFINITY, begun = seconds_now();
    for (int runs = 0; runs < 5 || seconds_now() - begun < seconds; runs++) {
        double time = run(kernel);
        least = time < least ? time : least;
    }
    uint32_t sum = 0x811c9dc5u, word;
    for (size_t n = 0; n < size; n += sizeof word) {
        memcpy(&word, (const char *)results + n, sizeof word);
        sum = (sum ^ word) * 0x01000193u;
    }
    printf("%s\t%.4f\t%08x\n", name, least * 1e3, (unsigned)sum);
}

int main(int count, char **words)
{
    double seconds = count > 1 ? atof(words[1]) : 0.15;
    measure("sha256", sha256_start, sha256, digests, sizeof digests, seconds);
    measure("matrix_product_256", matrix_product_start, matrix_product, matrix_c, sizeof matrix_c, seconds);
    measure("n_body_256", n_body_start, n_body, accelerations, sizeof accelerations, seconds);
    measure("mandelbrot_128", nothing, mandelbrot, steps, sizeof steps, seconds);
    measure("prefix_sum", prefix_sum_start, prefix_sum, data, sizeof data, seconds);
    return 0;
}
