import JSON
import MenuGame
import UseCases

/// What is written to a device through FCM (Google, "REST Resource: projects.messages").
enum FCMPayload {
    static func bytes(_ message: PushMessage, at now: Instant) -> [UInt8] {
        let language = message.registration.language
        let (title, body) = (PushTexts.title[language], PushTexts.body(message.notice.stage)[language])
        let room = message.notice.room.text
        var writer = JSONWriter(reserving: 1024)
        writer.object { writer in
            writer.member(
                "message",
                object: { writer in
                    writer.member("token", message.registration.pushToken)
                    writer.member(
                        "notification",
                        object: { writer in
                            writer.member("title", title)
                            writer.member("body", body)
                        })
                    // Texts only, as FCM demands.
                    writer.member(
                        "data",
                        object: { writer in
                            writer.member("id", message.id.uuid)
                            writer.member("room", room)
                            writer.member("sequence", "\(message.notice.sequence)")
                            writer.member("stage", message.notice.stage.rawValue)
                        })
                    writer.member(
                        "android",
                        object: { writer in
                            // What waits of the same room is replaced on its way, and what is shown of it in its place.
                            writer.member("collapse_key", room)
                            writer.member("priority", "HIGH")
                            writer.member("ttl", "\(seconds(from: now, to: message.notice.expiresAt))s")
                            writer.member("notification", object: { writer in writer.member("tag", room) })
                        })
                    // For devices that FCM reaches through APNs, as those of the shipped app.
                    writer.member(
                        "apns",
                        object: { writer in
                            writer.member(
                                "headers",
                                object: { writer in
                                    writer.member("apns-push-type", "alert")
                                    writer.member("apns-priority", "10")
                                    writer.member("apns-expiration", "\(message.notice.expiresAt.milliseconds / 1000)")
                                    writer.member("apns-collapse-id", room)
                                })
                            writer.member(
                                "payload",
                                object: { writer in
                                    writer.member(
                                        "aps",
                                        object: { writer in
                                            writer.member("sound", "default")
                                            writer.member("thread-id", room)
                                        })
                                })
                        })
                })
        }
        return writer.bytes
    }

    /// FCM keeps nothing for longer than four weeks.
    private static func seconds(from now: Instant, to end: Instant) -> Int64 {
        let (milliseconds, overflow) = end.milliseconds.subtractingReportingOverflow(now.milliseconds)
        return overflow ? 0 : min(max(milliseconds / 1000, 0), 28 * 24 * 3600)
    }
}
