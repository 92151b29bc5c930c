import Glibc

/// How many descriptors the process may have.
enum DescriptorLimit {
    /// What everything but connections may need: the loops' own, files, the database.
    static let reserve = 128

    /// Raises the limit as far as the system lets us, and returns it.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var wanted = limit
            wanted.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted) == 0 { limit = wanted }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// `wanted`, or as many as are left besides the reserve.
    static func connections(_ wanted: Int, of descriptors: Int) -> Int {
        max(1, min(wanted, descriptors - min(reserve, descriptors / 2)))
    }
}
