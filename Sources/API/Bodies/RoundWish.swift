import JSON
import MenuGame

/// The body of `POST /v1/rooms/{pin}/rounds`.
struct RoundWish {
    /// That it lies ahead and before the room's end is the room's to check.
    let deadlineAt: Instant?

    init(_ json: JSONValue?) throws(Problem) {
        var reader = try BodyReader(json)
        deadlineAt = reader.integer(reader.json["deadlineAt"], "/deadlineAt").map(Instant.init(milliseconds:))
        try reader.finish()
    }
}
