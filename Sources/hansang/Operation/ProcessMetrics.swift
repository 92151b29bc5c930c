import Glibc
import Metrics

/// The figures that every process has, under the names that Prometheus' client libraries give them.
enum ProcessMetrics {
    static let families: [Family] = [
        .counter("process_cpu_seconds_total", "CPU time of the process, in user space and in the kernel.", cpuSeconds),
        .gauge("process_resident_memory_bytes", "Memory of the process that is in RAM.") { statm(1) },
        .gauge("process_virtual_memory_bytes", "Address space of the process.") { statm(0) },
        .gauge("process_open_fds", "Open descriptors.") { Double((try? fileNames(in: "/proc/self/fd"))?.count ?? 0) },
        .gauge("process_max_fds", "Descriptors that may be open.", maximumDescriptors),
        .gauge("process_start_time_seconds", "When the process started, in seconds since 1970.") { startTime },
    ]

    private static func cpuSeconds() -> Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// A number of pages out of /proc/self/statm (proc(5)), in bytes.
    private static func statm(_ column: Int) -> Double {
        let columns = words(of: "/proc/self/statm")
        return columns.indices.contains(column) ? (Double(columns[column]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    private static func maximumDescriptors() -> Double {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Double(limit.rlim_cur) : 0
    }

    /// The process's start, the 22nd word of /proc/self/stat, in ticks since the machine's (proc(5)). The machine's own is told by its
    /// clocks: /proc/stat, which has it too, is hidden from a service that sees only its own processes.
    private static let startTime: Double = {
        let process = words(of: "/proc/self/stat")
        // The second word is the name in parentheses, and ours has no space in it.
        guard process.count > 21, let ticks = Double(process[21]) else { return 0 }
        let boot = seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME)
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func words(of path: String) -> [Substring] {
        guard let bytes = try? contents(of: path, limit: 1 << 20) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    }
}
