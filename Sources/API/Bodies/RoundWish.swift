import JSON
import MenuGame

/// The body of `POST /v1/rooms/{pin}/rounds`.
struct RoundWish {
    /// `.some(nil)` for none; `nil` where nothing is said of it. That it lies ahead and before the room's end is the room's to check.
    let deadlineAt: Instant??

    init(_ json: JSONValue?) throws(Problem) {
        var reader = try BodyReader(json)
        deadlineAt = reader.json["deadlineAt"].map { json in
            reader.integer(json, "/deadlineAt").map(Instant.init(milliseconds:))
        }
        try reader.finish()
    }
}
