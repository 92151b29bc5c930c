// The checks of arguments are macros, which would hide the functions.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift calls no function with variable arguments: here is one for each type that is used.

typedef size_t (*hansang_curl_write)(char *bytes, size_t size, size_t count, void *context);
typedef int (*hansang_curl_socket)(CURL *easy, curl_socket_t socket, int wanted, void *context, void *ofSocket);
typedef int (*hansang_curl_timer)(CURLM *multi, long milliseconds, void *context);

static inline CURLcode hansang_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode hansang_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode hansang_curl_on_write(CURL *easy, hansang_curl_write function, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode hansang_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode hansang_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode hansang_curl_multi_on_socket(CURLM *multi, hansang_curl_socket function, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}

static inline CURLMcode hansang_curl_multi_on_timer(CURLM *multi, hansang_curl_timer function, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
