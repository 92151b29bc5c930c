/// A field of a response (RFC 9110 §5).
public struct Field: Sendable {
    public let name: FieldName
    public let value: String

    public init(_ name: FieldName, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A whole response. `Content-Length`, `Date` and `Connection` are the encoder's to write.
/// They are left out where `fields` has them, and so is the body of an answer to HEAD and of a status without content.
public struct Response: Sendable {
    /// A final one, 200…599; any other is sent as 500.
    public var status: Status
    /// In the order in which they are sent. A byte of a value that could end its line is sent as a space.
    public var fields: [Field]
    public var body: [UInt8]

    public init(_ status: Status, fields: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
