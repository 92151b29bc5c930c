// SQLiteStore
