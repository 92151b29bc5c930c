/// A whole response. `Content-Length`, `Date` and `Connection` are the encoder's to write.
/// They are left out where `fields` has them, and so is the body of an answer to HEAD and of a status without content.
public struct Response: Sendable {
    /// A final one, 200…599; any other is sent as 500.
    public var status: Status
    /// In the order in which they are sent. A byte of a value that could end its line is sent as a space.
    public var fields: [(name: FieldName, value: String)]
    public var body: [UInt8]

    public init(_ status: Status, fields: [(name: FieldName, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
