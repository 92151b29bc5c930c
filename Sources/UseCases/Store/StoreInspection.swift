public import MenuGame

/// A look at all that a store holds, while servers may be using it. Everything is read as of one moment. Calls may block.
public protocol StoreInspection {
    /// What is wrong with the database itself and with its references; empty where all is well. Reads all of it.
    func faults() throws(StoreError) -> [String]

    /// The PINs of all rooms, those too that have expired and were not swept yet.
    func pins() throws(StoreError) -> [PIN]

    /// A room as it is kept; `nil` where there is none.
    func room(_ pin: PIN) throws(StoreError) -> RoomRecord?

    /// The receipts that go with a room; of no room where it is `nil`.
    func receipts(in room: Identifier?) throws(StoreError) -> [Receipt]

    /// How devices want to be told.
    func devices() throws(StoreError) -> [PushDevice]

    /// See `RoomStore`.
    func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]?

    /// What tells the key that the members are known under from others; `nil` where no server has used the store yet.
    func keyFingerprint() throws(StoreError) -> [UInt8]?
}
