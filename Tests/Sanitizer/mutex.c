// What thread sanitizer has to be told of `Synchronization.Mutex`. Taking and leaving it uncontended is inlined into our code and seen; when
// threads wait for one another, the runtime does it (SE-0433: a priority-inheriting futex), which is not instrumented, and everything that
// the mutex guards would be reported as a race. So these two functions of the runtime are wrapped, and say what they mean: whoever takes
// the mutex has seen what came before whoever left it. Nothing is suppressed.
//
// Preloaded: the symbols of the runtime are looked up here first.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Of the sanitizer's runtime, in processes that have it.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

SWIFT void lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT bool try(SELF mutex) __asm__(TRY);
SWIFT void unlock(SELF mutex) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF mutex) {
    ((SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try(SELF mutex) {
    bool taken = ((SWIFT bool (*)(SELF))dlsym(RTLD_NEXT, TRY))(mutex);
    if (taken && __tsan_acquire) __tsan_acquire(mutex);
    return taken;
}

SWIFT void unlock(SELF mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
