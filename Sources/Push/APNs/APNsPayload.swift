import JSON
import MenuGame
import UseCases

/// What is written to an Apple device (Apple, "Generating a remote notification" and "Starting and updating Live Activities with
/// ActivityKit push notifications").
enum APNsPayload {
    /// Milliseconds for which a lock screen keeps a live activity whose game is over.
    private static let dismissal: Int64 = 15 * 60 * 1000
    /// Milliseconds after which a client takes what it knows of a room for the last known (the API's `staleAt`).
    private static let staleness: Int64 = 10 * 1000

    static func bytes(_ message: PushMessage) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.object { writer in
            writer.member(
                "aps",
                object: { aps in
                    if message.registration.platform == .liveActivity { liveActivity(message, &aps) } else { alert(message, &aps) }
                })
            writer.member("room", message.room.text)
            writer.member("sequence", message.sequence)
            writer.member("stage", message.state.stage.rawValue)
        }
        return writer.bytes
    }

    private static func alert(_ message: PushMessage, _ aps: inout JSONWriter) {
        let language = message.registration.language
        aps.member(
            "alert",
            object: { alert in
                alert.member("title", PushTexts.title[language])
                alert.member("body", PushTexts.body(message.state.stage)[language])
            })
        aps.member("sound", "default")
        // Those of one room stand together.
        aps.member("thread-id", message.room.text)
    }

    private static func liveActivity(_ message: PushMessage, _ aps: inout JSONWriter) {
        let state = message.state
        let isFinal = state.stage.isFinal
        aps.member("timestamp", state.at.milliseconds / 1000)
        aps.member("event", isFinal ? "end" : "update")
        aps.member(
            "content-state",
            object: { content in
                content.member("phase", state.phase.rawValue)
                content.member("memberCount", state.memberCount)
                content.member("submissionCount", state.submissionCount)
                content.member("sequence", message.sequence)
                content.member("serverTime", state.at.milliseconds)
            })
        aps.member("stale-date", state.at.advanced(by: staleness).milliseconds / 1000)
        if isFinal { aps.member("dismissal-date", state.at.advanced(by: dismissal).milliseconds / 1000) }
    }
}
