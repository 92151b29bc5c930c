internal import UseCases

extension Connection {
    /// The first look at a file, before anything else is done with it.
    static func first(to file: DatabaseFile, busyTimeout: Int32) throws(StoreError) -> Connection {
        let connection = try Connection(path: file.path, busyTimeout: busyTimeout)
        do throws(StoreError) {
            guard !connection.isReadOnly else { throw StoreError("the database \(file.path) cannot be written") }
            try connection.identify(file.path)
            // Has to be said before there is any table. Lets the file shrink again after many rooms have gone.
            try connection.run(script: "PRAGMA auto_vacuum = INCREMENTAL")
            try connection.prepareForWriting()
            try connection.migrate()
        } catch {
            if connection.isBusy { throw .inUse(file.path) }
            if connection.isNoDatabase { throw StoreError("\(file.path) is no database") }
            throw error
        }
        return connection
    }

    static func writing(to file: DatabaseFile, busyTimeout: Int32) throws(StoreError) -> Connection {
        let connection = try Connection(path: file.path, busyTimeout: busyTimeout)
        try connection.prepareForWriting()
        try connection.bringLogHome(waiting: busyTimeout)
        try connection.watchLog(of: file.path)
        return connection
    }

    static func reading(from file: DatabaseFile, busyTimeout: Int32) throws(StoreError) -> Connection {
        let connection = try Connection(path: file.path, busyTimeout: busyTimeout)
        // Not opened for reading only: such a connection, if it is the last to close, could not bring the log home.
        try connection.commits(.synced)
        try connection.run(script: "PRAGMA query_only = ON")
        return connection
    }

    /// Brings home what an earlier life left in the log, and syncs it, before anything is built upon it.
    ///
    /// - Parameter milliseconds: for which to wait for readers of it, in other processes.
    func bringLogHome(waiting milliseconds: Int32) throws(StoreError) {
        wait(atMost: milliseconds)
        // Where somebody is in the way, SQLite says so in a row and not by an error.
        let isBusy = try first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer64() } ?? 1
        guard isBusy == 0 else { throw StoreError("database: the log cannot be brought home while another process is in the way") }
    }

    private func prepareForWriting() throws(StoreError) {
        let mode = try first("PRAGMA journal_mode = WAL") { $0.text() }
        guard mode == "wal" else { throw StoreError("the database cannot have a write-ahead log where it is") }
        try commits(.synced)
        try run(
            script: """
                PRAGMA foreign_keys = ON;
                PRAGMA secure_delete = ON;
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA journal_size_limit = 67108864;
                PRAGMA cache_size = -16384;
                PRAGMA temp_store = MEMORY;
                """)
    }
}
