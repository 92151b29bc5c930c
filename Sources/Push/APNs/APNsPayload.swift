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
            writer.member("room", message.notice.room.text)
            writer.member("sequence", message.notice.sequence)
            writer.member("stage", message.notice.stage.rawValue)
        }
        return writer.bytes
    }

    private static func alert(_ message: PushMessage, _ aps: inout JSONWriter) {
        let language = message.registration.language
        aps.member(
            "alert",
            object: { alert in
                alert.member("title", PushTexts.title[language])
                alert.member("body", PushTexts.body(message.notice.stage)[language])
            })
        aps.member("sound", "default")
        // Those of one room stand together.
        aps.member("thread-id", message.notice.room.text)
    }

    private static func liveActivity(_ message: PushMessage, _ aps: inout JSONWriter) {
        let notice = message.notice
        let isFinal = notice.stage.isFinal
        aps.member("timestamp", notice.at.milliseconds / 1000)
        aps.member("event", isFinal ? "end" : "update")
        aps.member(
            "content-state",
            object: { content in
                content.member("phase", notice.phase.rawValue)
                content.member("memberCount", notice.memberCount)
                content.member("submissionCount", notice.submissionCount)
                content.member("sequence", notice.sequence)
                content.member("serverTime", notice.at.milliseconds)
            })
        aps.member("stale-date", notice.at.advanced(by: staleness).milliseconds / 1000)
        if isFinal { aps.member("dismissal-date", notice.at.advanced(by: dismissal).milliseconds / 1000) }
    }
}
