#include <sqlite3.h>

// Swift calls no function with variable arguments.
static inline int hansang_sqlite3_config(int option, int value) { return sqlite3_config(option, value); }
