/// A whole response. `Content-Length`, `Date` and `Connection` are the encoder's to write.
public struct Response: Sendable {
    public var status: Status
    public var fields: [(name: FieldName, value: String)]
    public var body: [UInt8]

    public init(_ status: Status, fields: [(name: FieldName, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
