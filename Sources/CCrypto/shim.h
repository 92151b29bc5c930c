#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/sha.h>
