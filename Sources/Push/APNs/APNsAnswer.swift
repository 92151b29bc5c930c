import JSON
import MenuGame
import UseCases

/// What APNs says (Apple, "Handling notification responses from APNs").
enum APNsAnswer {
    case outcome(PushOutcome)
    /// The token by which it knows us is too old for it.
    case tokenExpired

    init(_ response: HTTPResponse) {
        guard response.status != 200 else {
            self = .outcome(.accepted)
            return
        }
        let json = response.json
        let reason = reason(json["reason"]?.string, status: response.status)
        self =
            switch (response.status, reason) {
            case (403, "ExpiredProviderToken"): .tokenExpired
            // "Unregistered", "ExpiredToken". With the time since when it knows.
            case (410, _): .outcome(.gone(since: json["timestamp"]?.integer.map(Instant.init(milliseconds:))))
            // Of the others, none is this message's or device's fault.
            case (403, _), (400, "TopicDisallowed"), (400, "BadTopic"), (400, "MissingTopic"): .outcome(.unauthorized(reason))
            case (429, "TooManyProviderTokenUpdates"): .outcome(.again(after: response.pause ?? .seconds(60), troubled: true, reason))
            // Too many to this one device.
            case (429, _): .outcome(.again(after: response.pause ?? .seconds(30), troubled: false, reason))
            case (400, "IdleTimeout"), (500..., _): .outcome(.again(after: response.pause, troubled: true, reason))
            // A "BadDeviceToken" may as well mean that the key is for the other of Apple's two environments: no reason to forget the
            // device.
            default: .outcome(.rejected(reason))
            }
    }
}
