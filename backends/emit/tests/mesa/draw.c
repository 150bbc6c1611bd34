/* Pixels of one ARB fragment program on the GL renderer that the environment chooses, each with inputs of its own.
 *
 *     draw PROGRAM INPUTS PIXELS
 *
 * INPUTS holds words of 32 bits: how many local parameters, environment parameters and pixels there are; the parameters, four words each;
 * for each pixel eight texture coordinates of four words. PIXELS gets four words for each pixel, a colour of binary32, or four times
 * 4B4B4B4B where the pixel is discarded. The renderer is printed. */
#define TOOL "draw"
#include "context.h"

enum { SIDE = 64, COORDINATES = 8 };

int main(int count, char **words)
{
    if (count != 4)
        fail("usage: draw PROGRAM INPUTS PIXELS");
    size_t length;
    char *program = contents(words[1], &length);
    char *inputs = contents(words[2], &length);
    const unsigned *head = (const unsigned *)inputs;
    unsigned local = head[0], env = head[1], pixels = head[2];
    const float *at = (const float *)(head + 3);
    if (length != 12 + 16ull * (local + env) + 16ull * COORDINATES * pixels || pixels > SIDE * SIDE)
        fail("the inputs have another length");
    open_context();
    make_target(SIDE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    use_program(GL_FRAGMENT_PROGRAM_ARB, program);
    /* Coordinates reach the rasteriser as they are. */
    use_program(GL_VERTEX_PROGRAM_ARB,
                "!!ARBvp1.0\n"
                "MOV result.position, vertex.attrib[0];\n"
                "MOV result.texcoord[0], vertex.attrib[8];\nMOV result.texcoord[1], vertex.attrib[9];\n"
                "MOV result.texcoord[2], vertex.attrib[10];\nMOV result.texcoord[3], vertex.attrib[11];\n"
                "MOV result.texcoord[4], vertex.attrib[12];\nMOV result.texcoord[5], vertex.attrib[13];\n"
                "MOV result.texcoord[6], vertex.attrib[14];\nMOV result.texcoord[7], vertex.attrib[15];\nEND\n");
    for (unsigned n = 0; n < local; n++, at += 4)
        glProgramLocalParameter4fvARB(GL_FRAGMENT_PROGRAM_ARB, n, at);
    for (unsigned n = 0; n < env; n++, at += 4)
        glProgramEnvParameter4fvARB(GL_FRAGMENT_PROGRAM_ARB, n, at);
    float discarded;
    memset(&discarded, 0x4b, sizeof discarded);
    glClearColor(discarded, discarded, discarded, discarded);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    /* The same at every corner, so that interpolation changes nothing. */
    for (unsigned n = 0; n < pixels; n++) {
        glScissor((GLint)(n % SIDE), (GLint)(n / SIDE), 1, 1);
        for (unsigned set = 0; set < COORDINATES; set++, at += 4)
            glVertexAttrib4fv(8 + set, at);
        glBegin(GL_TRIANGLE_STRIP);
        glVertex2f(-1, -1);
        glVertex2f(1, -1);
        glVertex2f(-1, 1);
        glVertex2f(1, 1);
        glEnd();
    }
    static float found[SIDE * SIDE * 4];
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, found);
    if (glGetError() != GL_NO_ERROR)
        fail("OpenGL reports an error");
    FILE *file = fopen(words[3], "wb");
    if (!file || fwrite(found, 16, pixels, file) != pixels || fclose(file))
        fail("the pixels cannot be written");
    printf("%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    return 0;
}
