/// Who is told what happens to rooms: each on the queue where it happens, which it must not block.
public struct RoomObserver: Sendable {
    /// Every failure of the store.
    public var storeFailed: @Sendable (StoreError) -> Void = { _ in }
    /// Something was committed that phones are to be told (`RoomSettings.writesNotices`).
    public var noticeWritten: @Sendable () -> Void = {}
    /// Another server has changed a room, which may be such a thing.
    public var neighbourChanged: @Sendable () -> Void = {}
    /// What is worth counting.
    public var measure: @Sendable (Measurement) -> Void = { _ in }

    /// Nobody.
    public init() {}
}
