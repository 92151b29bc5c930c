#include <sys/epoll.h>
#include <sys/eventfd.h>

// glibc declares accept4 only with _GNU_SOURCE, which is not set for Swift. <sys/socket.h>, which has the types of its parameters,
// belongs to the module Glibc: included here too, its constants would move to this one.
int accept4(int descriptor, void *address, unsigned int *length, int flags);

// <malloc.h> is not in the module Glibc either.
int malloc_trim(unsigned long pad);
