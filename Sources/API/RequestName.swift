import HTTP
import Synchronization

/// What a request is called: by whoever sent it, or else by us.
struct RequestName: Sendable {
    let id: String
    let trace: TraceContext?

    /// - Parameters:
    ///   - token: the device token of the request. What has it in a name is no name: names are logged and sent back.
    ///   - fresh: makes an id where the request has none that can be taken.
    init(_ fields: Fields, token: ArraySlice<UInt8>?, fresh: () -> String) {
        id =
            fields[.requestID].flatMap { Self.isID($0) && !Self.isSecret($0, token) ? String(decoding: $0, as: UTF8.self) : nil } ?? fresh()
        trace = fields[.traceParent].flatMap { Self.isSecret($0, token) ? nil : TraceContext($0) }
    }

    /// Long enough to be no PIN and short enough to be no token of a push service, and of letters and digits, so that it means the same
    /// wherever it is written.
    private static func isID(_ bytes: [UInt8]) -> Bool {
        APIBounds.requestID.contains(bytes.count) && bytes.contains(where: isLetter)
            && bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "-._".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    /// Whether one of the two is in the other.
    private static func isSecret(_ name: [UInt8], _ token: ArraySlice<UInt8>?) -> Bool {
        guard let token else { return false }
        return name.firstRange(of: token) != nil || token.firstRange(of: name) != nil
    }
}

/// The trace that a request is a part of (W3C Trace Context §3.2): said in the log, so that its lines are found from there.
public struct TraceContext: Hashable, Sendable {
    /// 32 hexadecimal digits.
    public let traceID: String
    /// Of the part that sent the request: 16 hexadecimal digits.
    public let parentID: String

    /// `nil` for what the recommendation has us ignore: another form, the version ff, an id of zeros.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        // A version that we do not know may have more behind these four.
        guard parts.count >= 4, parts.count == 4 || parts[0] != [0x30, 0x30], bytes.count <= APIBounds.traceParent,
            zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.count == $1 && $0.allSatisfy(Self.isHex) }),
            parts[0] != [0x66, 0x66], parts[1].contains(where: { $0 != 0x30 }), parts[2].contains(where: { $0 != 0x30 })
        else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
        parentID = String(decoding: parts[2], as: UTF8.self)
    }

    /// In lower case only.
    private static func isHex(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}

/// Ids of requests: a prefix of this process and a number, so that a request costs no randomness.
final class RequestIDs: Sendable {
    private let prefix: String
    private let counter = Atomic(0)

    init(prefix: String) { self.prefix = prefix }

    func next() -> String {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return String(atMost: prefix.utf8.count + 32) { id in
            id.append(prefix)
            id.append(UInt8(ascii: "-"))
            id.append(decimal: number)
        }
    }
}
