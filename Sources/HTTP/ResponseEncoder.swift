/// Responses in, bytes out (RFC 9112 §4). What frames the message is written here and nowhere else.
public enum ResponseEncoder {
    /// The interim answer to `Expect: 100-continue` (RFC 9110 §15.2.1).
    public static let invitation = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Appends `response` to `output`. `exchange.persists` is the last word on whether the connection stays open.
    public static func encode(_ response: borrowing Response, for exchange: Exchange, date: borrowing HTTPDate, into output: inout [UInt8])
    {
        let status = encodeStart(response, date: date, into: &output)
        // HEAD is told the length that GET would have (RFC 9110 §9.3.2); 204 and 304 have none to tell (§8.6).
        if !status.hasNoContent {
            output.append(addingCapacity: 64) { line in
                line.append("Content-Length: ")
                line.append(decimal: response.body.count)
                line.append("\r\n")
            }
        }
        encodeEnd(for: exchange, into: &output)
        if !status.hasNoContent, !exchange.isHead { output.append(contentsOf: response.body) }
    }

    /// Appends `response` without the end of its content; false when it has none, and so is whole.
    ///
    /// HEAD is told of the chunks that GET would have (RFC 9112 §6.1). HTTP/1.0 knows none: there the end of the connection is the end
    /// of the body (§6.3).
    static func encodeStream(
        _ response: borrowing Response, for exchange: Exchange, date: borrowing HTTPDate, into output: inout [UInt8]
    ) -> Bool {
        let status = encodeStart(response, date: date, into: &output)
        if !status.hasNoContent, !exchange.isHTTP10 { output.append("Transfer-Encoding: chunked\r\n") }
        encodeEnd(for: exchange, into: &output)
        guard !status.hasNoContent, !exchange.isHead else { return false }
        if !response.body.isEmpty { encode(StreamChunk(response.body), for: exchange, into: &output) }
        return true
    }

    public static func encode(_ chunk: StreamChunk, for exchange: Exchange, into output: inout [UInt8]) {
        if exchange.isHTTP10 {
            output.append(contentsOf: chunk.content)
        } else if !chunk.isEmpty {
            output.append(contentsOf: chunk.framed)
        }
    }

    private static func encodeStart(_ response: borrowing Response, date: borrowing HTTPDate, into output: inout [UInt8]) -> Status {
        // A code that is no final status would leave the client waiting for one (RFC 9110 §15).
        let status = (200...599).contains(response.status.code) ? response.status : Status(500)
        output.append(addingCapacity: 128) { line in
            line.append("HTTP/1.1 ")
            line.append(decimal: status.code)
            line.append(.space)
            line.append(status.reasonPhrase)
            line.append("\r\nDate: ")
            date.bytes.withUnsafeBufferPointer { line.append($0) }
            line.append("\r\n")
        }
        for (name, value) in response.fields where !name.belongsToEncoder {
            output.append(name, value)
        }
        return status
    }

    private static func encodeEnd(for exchange: Exchange, into output: inout [UInt8]) {
        if !exchange.persists {
            output.append("Connection: close\r\n")
        } else if exchange.isHTTP10 {
            output.append("Connection: keep-alive\r\n")
        }
        output.append("\r\n")
    }
}

extension FieldName {
    /// Fields that frame the message or belong to the connection: a responder that sets one is not heard.
    fileprivate var belongsToEncoder: Bool {
        switch literal.utf8CodeUnitCount {
        case 4: self == FieldName("Date")
        case 10: self == FieldName("Connection")
        case 14: self == FieldName("Content-Length")
        case 17: self == FieldName("Transfer-Encoding")
        default: false
        }
    }
}

extension [UInt8] {
    /// Appends a field's line, with a space for every byte of the value that could end it or hide in it (RFC 9110 §5.5).
    fileprivate mutating func append(_ name: FieldName, _ value: String) {
        value.utf8.span.withUnsafeBufferPointer { value in
            name.literal.withUTF8Buffer { name in
                append(addingCapacity: name.count + value.count + 4) { line in
                    line.append(name)
                    line.append(.colon)
                    line.append(.space)
                    // Hardly any has such a byte.
                    if value.allSatisfy(\.isText) {
                        line.append(value)
                    } else {
                        for byte in value { line.append(byte.isText ? byte : .space) }
                    }
                    line.append(.carriageReturn)
                    line.append(.lineFeed)
                }
            }
        }
    }
}
