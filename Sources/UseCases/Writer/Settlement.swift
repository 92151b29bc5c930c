/// A room that is due, and who waits until it is revealed.
struct Settlement: Sendable {
    let published: PublishedRoom
    /// Of commands that have been carried out.
    let answers: [Completion<PublishedRoom>]
    /// Commands that came when the room was due already.
    let waiting: [RoomWriter.Job]

    /// How many wait.
    var count: Int { answers.count + waiting.count }
}
