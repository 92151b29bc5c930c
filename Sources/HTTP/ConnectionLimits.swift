/// What one connection may ask of the server, in bytes, counts and time. Everything that grows with input has its bound here.
///
/// | Limit | Default | Beyond it |
/// |---|---|---|
/// | `maximumHeadSize` | 16 KiB | 414 within the request line, else 431 |
/// | `maximumFieldCount` | 100 | 431 |
/// | `maximumBodySize` | 64 KiB | 413 |
/// | `maximumChunkOverhead` | 16 KiB of chunk extensions and trailers | 413 |
/// | `headTimeout` | 10 s from the first byte of a head to its last | 408 |
/// | `bodyTimeout` | 30 s from the end of the head to that of the body | 408 |
/// | `minimumBodyRate` | 512 bytes a second after 5 s (`bodyRateGrace`) | 408 |
/// | `idleTimeout` | 75 s between two requests | closed |
/// | `writeTimeout` | 10 s without the client taking a byte of the answer | closed |
/// | `minimumWriteRate` | 512 bytes a second taken of an answer, after `writeTimeout` | closed |
/// | `maximumStreamBacklog` | 64 KiB said on a stream and not yet written, snapshots aside | closed |
/// | `maximumOutputSize` | 256 KiB of unsent answers | no further request is begun |
/// | `lingerTimeout`, `maximumLingerSize` | 2 s, 1 MiB of input discarded after the last answer | closed |
///
/// Pipelining is bounded by construction: one request of a connection is in progress at a time, and until it is answered nothing
/// more is read than what one read has already brought, 16 KiB at most.
public struct ConnectionLimits: Sendable {
    public var maximumHeadSize = 16 * 1024
    public var maximumFieldCount = 100
    public var maximumBodySize = 64 * 1024
    public var maximumChunkOverhead = 16 * 1024
    public var headTimeout: Duration = .seconds(10)
    public var bodyTimeout: Duration = .seconds(30)
    public var minimumBodyRate = 512
    public var bodyRateGrace: Duration = .seconds(5)
    public var idleTimeout: Duration = .seconds(75)
    public var writeTimeout: Duration = .seconds(10)
    public var minimumWriteRate = 512
    public var maximumOutputSize = 256 * 1024
    public var maximumStreamBacklog = 64 * 1024
    public var lingerTimeout: Duration = .seconds(2)
    public var maximumLingerSize = 1024 * 1024

    /// The defaults of the table.
    public init() {}

    /// How long a body of which `received` bytes have come may take in all.
    func bodyAllowance(received: Int) -> Duration {
        min(bodyTimeout, bodyRateGrace + .seconds(1) * received / max(1, minimumBodyRate))
    }

    /// How long a client that has taken so much may need for it.
    func writeAllowance(taken: Int) -> Duration { writeTimeout + .seconds(1) * taken / max(1, minimumWriteRate) }
}
