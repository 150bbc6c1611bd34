/* Frames of one ARB fragment program on the GL renderer that the environment chooses: a quad over a binary32 target, three
 * texture coordinates that vary, sixteen local parameters, four bilinear textures of 256 x 256 bytes.
 *
 *     quad PROGRAM SIDE FRAMES
 *
 * Prints the renderer and the median and best rate in million fragments per second. */
#define TOOL "quad"
#include "context.h"
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void make_textures(void)
{
    enum { SIDE = 256 };
    static unsigned char texels[SIDE * SIDE * 4];
    unsigned state = 1;
    for (size_t n = 0; n < sizeof texels; n++) {
        state = state * 1664525u + 1013904223u;
        texels[n] = (unsigned char)(state >> 24);
    }
    for (int unit = 0; unit < 4; unit++) {
        GLuint name;
        glActiveTexture(GL_TEXTURE0 + unit);
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    }
}

static void set_parameters(void)
{
    for (int n = 0; n < 16; n++) {
        float first = 0.1f + 0.03f * (float)n;
        glProgramLocalParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, (GLuint)n, first, first + 0.05f, first + 0.1f, first + 0.15f);
    }
}

static void corner(float x, float y)
{
    float s = 0.5f * x + 0.5f, t = 0.5f * y + 0.5f;
    for (int set = 0; set < 3; set++) {
        float moved = 0.03f * (float)set;
        glMultiTexCoord4f(GL_TEXTURE0 + set, 0.05f + moved + 0.8f * s, 0.07f + moved + 0.7f * t, 0.3f + 0.2f * s, 0.6f + 0.1f * t);
    }
    glVertex2f(x, y);
}

static void frame(void)
{
    glBegin(GL_TRIANGLE_STRIP);
    corner(-1, -1);
    corner(1, -1);
    corner(-1, 1);
    corner(1, 1);
    glEnd();
    glFinish();
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **words)
{
    static double times[1000];
    if (count != 4)
        fail("usage: quad PROGRAM SIDE FRAMES");
    int side = atoi(words[2]), frames = atoi(words[3]);
    if (side < 1 || frames < 1 || frames > 1000)
        fail("1 to 1000 frames of at least one pixel");
    open_context();
    make_target(side);
    make_textures();
    size_t length;
    use_program(GL_FRAGMENT_PROGRAM_ARB, contents(words[1], &length));
    set_parameters();
    /* Compilation takes the first frames. */
    for (int n = 0; n < 4; n++)
        frame();
    for (int n = 0; n < frames; n++) {
        double start = seconds();
        frame();
        times[n] = seconds() - start;
    }
    qsort(times, (size_t)frames, sizeof *times, ascending);
    double fragments = 1e-6 * side * side;
    printf("%s\t%.1f\t%.1f\n", (const char *)glGetString(GL_RENDERER), fragments / times[frames / 2], fragments / times[0]);
    return 0;
}
