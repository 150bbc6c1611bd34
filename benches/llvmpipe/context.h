/* What drawing with ARB programs takes: a context without a window, a target of binary32, programs. Problems end the tool, whose name is
 * TOOL. */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what)
{
    fprintf(stderr, TOOL ": %s\n", what);
    exit(1);
}

/* The bytes of a file, with a zero behind them. */
static char *contents(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("a file cannot be read");
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(*length + 1, 1);
    if (!bytes || fread(bytes, 1, *length, file) != *length)
        fail("a file cannot be read");
    fclose(file);
    return bytes;
}

static void open_context(void)
{
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint found = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        fail("no EGL display without a surface");
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0)
        config = EGL_NO_CONFIG_KHR;
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail("no OpenGL context");
}

static void make_target(int side)
{
    GLuint image, buffer;
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, side, side, 0, GL_RGBA, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("no binary32 target");
    glViewport(0, 0, side, side);
}

static void use_program(GLenum kind, const char *text)
{
    GLuint name;
    glGenProgramsARB(1, &name);
    glBindProgramARB(kind, name);
    glProgramStringARB(kind, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    if (glGetError() != GL_NO_ERROR)
        fail((const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
    glEnable(kind);
}
