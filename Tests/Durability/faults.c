/* Has calls of the operating system fail, be cut short or be slow, for files in one folder, when and as its driver says.
 *
 * LD_PRELOAD=faults.so FAULTS_FOLDER=/path/ FAULTS_CONTROL=/path/of/a/file/of/4096/bytes. The driver maps that file too (faults.py).
 * Calls are counted over all threads, from the start of the process; each kind by itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum kind { OPEN, PWRITE, PREAD, FDATASYNC, FSYNC, FTRUNCATE, MMAP, UNLINK, LOCK, KINDS };
enum { SHORT = -1 };

/* Which call fails, from the how-manieth on, how often, and how: an errno, or SHORT. `hits` counts those that did. */
struct fault {
    _Atomic int64_t kind, first, times, error, hits;
};

struct control {
    struct fault faults[2];
    /* Microseconds that every sync takes longer. */
    _Atomic int64_t delay;
    _Atomic int64_t counts[KINDS];
};

static struct control *control;
static const char *folder;
static _Atomic char ours[65536];

#define REAL(name, type, ...) static type (*real_##name)(__VA_ARGS__)
REAL(open, int, const char *, int, ...);
REAL(openat, int, int, const char *, int, ...);
REAL(close, int, int);
REAL(pwrite, ssize_t, int, const void *, size_t, off_t);
REAL(pread, ssize_t, int, void *, size_t, off_t);
REAL(fdatasync, int, int);
REAL(fsync, int, int);
REAL(ftruncate, int, int, off_t);
REAL(mmap, void *, void *, size_t, int, int, int, off_t);
REAL(unlink, int, const char *);
REAL(fcntl, int, int, int, ...);

/* Calls come before any constructor has run. */
__attribute__((constructor)) static void prepare(void) {
    if (real_open) return;
    real_open = dlsym(RTLD_NEXT, "open64");
    real_openat = dlsym(RTLD_NEXT, "openat64");
    real_close = dlsym(RTLD_NEXT, "close");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_mmap = dlsym(RTLD_NEXT, "mmap64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_fcntl = dlsym(RTLD_NEXT, "fcntl64");
    folder = getenv("FAULTS_FOLDER");
    const char *path = getenv("FAULTS_CONTROL");
    int file = folder && path ? real_open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = real_mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) control = page;
    real_close(file);
}

/* What is to become of this call: 0 for nothing, SHORT, or an errno. */
static int verdict(enum kind kind) {
    if (!control) return 0;
    int64_t number = atomic_fetch_add(&control->counts[kind], 1) + 1;
    for (int index = 0; index < 2; index++) {
        struct fault *fault = &control->faults[index];
        if (fault->kind != kind || number < fault->first || number - fault->first >= fault->times) continue;
        atomic_fetch_add(&fault->hits, 1);
        return (int)fault->error;
    }
    return 0;
}

static int is_ours(int file) { return control && file >= 0 && file < 65536 && ours[file]; }
static int names_ours(const char *path) { return control && path && !strncmp(path, folder, strlen(folder)); }

#define FAIL_IF(condition, kind, result)                \
    if (condition) {                                    \
        int error = verdict(kind);                      \
        if (error > 0) return errno = error, result;    \
    }

static int opened(int file, const char *path) {
    if (file >= 0 && file < 65536) ours[file] = names_ours(path);
    return file;
}

#define OPEN_AS(name)                                                   \
    int name(const char *path, int flags, ...) {                        \
        prepare();                                                      \
        va_list arguments;                                              \
        va_start(arguments, flags);                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments);                                              \
        FAIL_IF(names_ours(path), OPEN, -1)                             \
        return opened(real_open(path, flags, mode), path);              \
    }
OPEN_AS(open)
OPEN_AS(open64)

#define OPENAT_AS(name)                                                 \
    int name(int at, const char *path, int flags, ...) {                \
        prepare();                                                      \
        va_list arguments;                                              \
        va_start(arguments, flags);                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
        va_end(arguments);                                              \
        FAIL_IF(names_ours(path), OPEN, -1)                             \
        return opened(real_openat(at, path, flags, mode), path);        \
    }
OPENAT_AS(openat)
OPENAT_AS(openat64)

int close(int file) {
    prepare();
    if (file >= 0 && file < 65536) ours[file] = 0;
    return real_close(file);
}

static ssize_t written(int file, const void *bytes, size_t count, off_t offset) {
    prepare();
    int error = is_ours(file) ? verdict(PWRITE) : 0;
    if (error > 0) return errno = error, -1;
    /* Half of it is written, and then the disk is full. */
    return real_pwrite(file, bytes, error == SHORT && count > 1 ? count / 2 : count, offset);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return written(file, bytes, count, offset); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return written(file, bytes, count, offset); }

static ssize_t got(int file, void *bytes, size_t count, off_t offset) {
    prepare();
    int error = is_ours(file) ? verdict(PREAD) : 0;
    if (error > 0) return errno = error, -1;
    return real_pread(file, bytes, error == SHORT && count > 1 ? count / 2 : count, offset);
}
ssize_t pread(int file, void *bytes, size_t count, off_t offset) { return got(file, bytes, count, offset); }
ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return got(file, bytes, count, offset); }

static void linger(void) {
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    /* In slices, so that it is over soon once nobody wants it any more. */
    for (int64_t left = control->delay; left > 0;) {
        struct timespec time = {0, (left < 50000 ? left : 50000) * 1000};
        nanosleep(&time, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        left = control->delay - ((now.tv_sec - began.tv_sec) * 1000000 + (now.tv_nsec - began.tv_nsec) / 1000);
    }
}

int fdatasync(int file) {
    prepare();
    if (is_ours(file)) linger();
    FAIL_IF(is_ours(file), FDATASYNC, -1)
    return real_fdatasync(file);
}
int fsync(int file) {
    prepare();
    if (is_ours(file)) linger();
    FAIL_IF(is_ours(file), FSYNC, -1)
    return real_fsync(file);
}

static int truncated(int file, off_t length) {
    prepare();
    FAIL_IF(is_ours(file), FTRUNCATE, -1)
    return real_ftruncate(file, length);
}
int ftruncate(int file, off_t length) { return truncated(file, length); }
int ftruncate64(int file, off_t length) { return truncated(file, length); }

static void *mapped(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    prepare();
    FAIL_IF(is_ours(file), MMAP, MAP_FAILED)
    return real_mmap(at, length, protection, flags, file, offset);
}
void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return mapped(at, length, protection, flags, file, offset);
}
void *mmap64(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return mapped(at, length, protection, flags, file, offset);
}

int unlink(const char *path) {
    prepare();
    FAIL_IF(names_ours(path), UNLINK, -1)
    return real_unlink(path);
}

#define FCNTL_AS(name)                                          \
    int name(int file, int command, ...) {                      \
        prepare();                                              \
        va_list arguments;                                      \
        va_start(arguments, command);                           \
        void *argument = va_arg(arguments, void *);             \
        va_end(arguments);                                      \
        if (command == F_SETLK || command == F_SETLKW) {        \
            FAIL_IF(is_ours(file), LOCK, -1)                    \
        }                                                       \
        return real_fcntl(file, command, argument);             \
    }
FCNTL_AS(fcntl)
FCNTL_AS(fcntl64)
