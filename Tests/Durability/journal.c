/* Writes down every change to the files of one folder, and when each was synced: of that every state can be made that a power cut may leave.
 *
 * LD_PRELOAD=journal.so JOURNAL_FOLDER=/path/ JOURNAL=/path/of/the/journal. A record is a struct record, a path or bytes after it. Changes to
 * one file are in the journal in the order in which they were made. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { CREATE, WRITE, TRUNCATE, SYNC_BEGINS, SYNC_ENDS, UNLINK, LINK };

struct record {
    uint64_t nanoseconds, inode, offset;
    uint32_t kind, length;
};

static int journal = -1;
static const char *folder;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name, type, ...) static type (*real_##name)(__VA_ARGS__)
REAL(open, int, const char *, int, ...);
REAL(pwrite, ssize_t, int, const void *, size_t, off_t);
REAL(write, ssize_t, int, const void *, size_t);
REAL(fdatasync, int, int);
REAL(fsync, int, int);
REAL(ftruncate, int, int, off_t);
REAL(unlink, int, const char *);
REAL(link, int, const char *, const char *);

__attribute__((constructor)) static void prepare(void) {
    if (real_open) return;
    real_open = dlsym(RTLD_NEXT, "open64");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_link = dlsym(RTLD_NEXT, "link");
    folder = getenv("JOURNAL_FOLDER");
    const char *path = getenv("JOURNAL");
    if (folder && path) journal = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int names_ours(const char *path) { return journal >= 0 && path && !strncmp(path, folder, strlen(folder)); }

/* The inode of a file in the folder, or of the folder itself; 0 for any other. */
static uint64_t ours(int file) {
    if (journal < 0) return 0;
    char link[40], path[PATH_MAX];
    char *end = link + sizeof link;
    *--end = 0;
    for (int rest = file; end == link + sizeof link - 1 || rest; rest /= 10) *--end = '0' + rest % 10;
    end -= 14;
    memcpy(end, "/proc/self/fd/", 14);
    ssize_t length = readlink(end, path, sizeof path - 2);
    if (length <= 0) return 0;
    path[length] = '/';
    path[length + 1] = 0;
    struct stat status;
    return names_ours(path) && !fstat(file, &status) ? status.st_ino : 0;
}

static void record(enum kind kind, uint64_t inode, uint64_t offset, const void *bytes, size_t length) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    struct record head = {time.tv_sec * 1000000000ULL + time.tv_nsec, inode, offset, kind, length};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, length}};
    if (writev(journal, parts, 2) != (ssize_t)(sizeof head + length)) abort();
}

#define OPEN_AS(name)                                                                                   \
    int name(const char *path, int flags, ...) {                                                        \
        prepare();                                                                                      \
        va_list arguments;                                                                              \
        va_start(arguments, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;                    \
        va_end(arguments);                                                                              \
        if (!names_ours(path) || !(flags & O_CREAT)) return real_open(path, flags, mode);               \
        pthread_mutex_lock(&lock);                                                                      \
        int is_new = access(path, F_OK);                                                                \
        int file = real_open(path, flags, mode), code = errno;                                          \
        struct stat status;                                                                             \
        if (file >= 0 && is_new && !fstat(file, &status)) record(CREATE, status.st_ino, 0, path, strlen(path)); \
        pthread_mutex_unlock(&lock);                                                                    \
        return errno = code, file;                                                                      \
    }
OPEN_AS(open)
OPEN_AS(open64)

#define CHANGE(type, file, call, kind, offset, bytes, length)          \
    prepare();                                                          \
    uint64_t inode = ours(file);                                        \
    if (!inode) return call;                                            \
    pthread_mutex_lock(&lock);                                          \
    type result = call;                                                 \
    int code = errno;                                                   \
    if (result >= 0) record(kind, inode, offset, bytes, length);        \
    pthread_mutex_unlock(&lock);                                        \
    return errno = code, result;

static ssize_t written(int file, const void *bytes, size_t count, off_t offset) {
    CHANGE(ssize_t, file, real_pwrite(file, bytes, count, offset), WRITE, offset, bytes, result)
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return written(file, bytes, count, offset); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return written(file, bytes, count, offset); }

/* How a key is written: from where the file is. */
ssize_t write(int file, const void *bytes, size_t count) {
    prepare();
    off_t offset = journal >= 0 ? lseek(file, 0, SEEK_CUR) : -1;
    if (offset < 0) return real_write(file, bytes, count);
    CHANGE(ssize_t, file, real_write(file, bytes, count), WRITE, offset, bytes, result)
}

static int truncated(int file, off_t length) {
    CHANGE(int, file, real_ftruncate(file, length), TRUNCATE, length, NULL, 0)
}
int ftruncate(int file, off_t length) { return truncated(file, length); }
int ftruncate64(int file, off_t length) { return truncated(file, length); }

int unlink(const char *path) {
    prepare();
    if (!names_ours(path)) return real_unlink(path);
    pthread_mutex_lock(&lock);
    int result = real_unlink(path), code = errno;
    if (!result) record(UNLINK, 0, 0, path, strlen(path));
    pthread_mutex_unlock(&lock);
    return errno = code, result;
}

int link(const char *from, const char *to) {
    prepare();
    if (!names_ours(to)) return real_link(from, to);
    pthread_mutex_lock(&lock);
    int result = real_link(from, to), code = errno;
    struct stat status;
    if (!result && !stat(to, &status)) record(LINK, status.st_ino, 0, to, strlen(to));
    pthread_mutex_unlock(&lock);
    return errno = code, result;
}

/* What was written before a sync began is on the disk when it has ended. */
static int synced(int file, int (*call)(int)) {
    uint64_t inode = ours(file);
    if (!inode) return call(file);
    pthread_mutex_lock(&lock);
    record(SYNC_BEGINS, inode, pthread_self(), NULL, 0);
    pthread_mutex_unlock(&lock);
    int result = call(file), code = errno;
    pthread_mutex_lock(&lock);
    if (!result) record(SYNC_ENDS, inode, pthread_self(), NULL, 0);
    pthread_mutex_unlock(&lock);
    return errno = code, result;
}
int fdatasync(int file) { return prepare(), synced(file, real_fdatasync); }
int fsync(int file) { return prepare(), synced(file, real_fsync); }
