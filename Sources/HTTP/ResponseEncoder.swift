/// Responses in, bytes out (RFC 9112 §4). What frames the message is written here and nowhere else.
public enum ResponseEncoder {
    /// The interim answer to `Expect: 100-continue` (RFC 9110 §15.2.1).
    public static let invitation = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Appends `response` to `output`. `exchange.persists` is the last word on whether the connection stays open.
    public static func encode(_ response: borrowing Response, for exchange: Exchange, date: borrowing HTTPDate, into output: inout [UInt8])
    {
        let status = response.status.asFinal
        output.append(addingCapacity: sizeOfHead(response)) { head in
            head.appendStart(response, status, date)
            // HEAD is told the length that GET would have (RFC 9110 §9.3.2); 204 and 304 have none to tell (§8.6).
            if !status.hasNoContent {
                head.append("Content-Length: ")
                head.append(decimal: response.body.count)
                head.append("\r\n")
            }
            head.appendEnd(for: exchange)
        }
        if !status.hasNoContent, !exchange.isHead { output.append(contentsOf: response.body) }
    }

    /// Appends `response` without the end of its content; false when it has none, and so is whole.
    ///
    /// HEAD is told of the chunks that GET would have (RFC 9112 §6.1). HTTP/1.0 knows none: there the end of the connection is the end
    /// of the body (§6.3).
    static func encodeStream(
        _ response: borrowing Response, for exchange: Exchange, date: borrowing HTTPDate, into output: inout [UInt8]
    ) -> Bool {
        let status = response.status.asFinal
        output.append(addingCapacity: sizeOfHead(response)) { head in
            head.appendStart(response, status, date)
            if !status.hasNoContent, !exchange.isHTTP10 { head.append("Transfer-Encoding: chunked\r\n") }
            head.appendEnd(for: exchange)
        }
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

    /// The bytes of a head with those fields, at most.
    private static func sizeOfHead(_ response: borrowing Response) -> Int {
        // What is not from the fields: the longest are a status line (56), `Date` (37), a length (37) and `Connection` (24).
        var size = 256
        let fields = response.fields.span
        for index in fields.indices { size += fields[index].name.literal.utf8CodeUnitCount + fields[index].value.utf8.count + 4 }
        return size
    }
}

extension Status {
    /// A code that is no final status would leave the client waiting for one (RFC 9110 §15).
    fileprivate var asFinal: Status { (200...599).contains(code) ? self : Status(500) }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func appendStart(_ response: borrowing Response, _ status: Status, _ date: borrowing HTTPDate) {
        append("HTTP/1.1 ")
        append(decimal: status.code)
        append(.space)
        append(status.reasonPhrase)
        append("\r\nDate: ")
        date.bytes.withUnsafeBufferPointer { append($0) }
        append("\r\n")
        let fields = response.fields.span
        for index in fields.indices where !fields[index].name.belongsToEncoder {
            append(fields[index].name, fields[index].value.utf8.span)
        }
    }

    /// Appends a field's line, with a space for every byte of the value that could end it or hide in it (RFC 9110 §5.5).
    private mutating func append(_ name: FieldName, _ value: Span<UInt8>) {
        append(name.literal)
        append(.colon)
        append(.space)
        // Hardly any has such a byte.
        if value.endOfText(from: 0, to: value.count) == value.count {
            value.withUnsafeBufferPointer { append($0) }
        } else {
            for index in value.indices { append(value[index].isText ? value[index] : .space) }
        }
        append(.carriageReturn)
        append(.lineFeed)
    }

    fileprivate mutating func appendEnd(for exchange: Exchange) {
        if !exchange.persists {
            append("Connection: close\r\n")
        } else if exchange.isHTTP10 {
            append("Connection: keep-alive\r\n")
        }
        append("\r\n")
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
