import JSON
import UseCases

/// What FCM says (Google, "FCM error codes": `google.firebase.fcm.v1.FcmError` among the details of a `google.rpc.Status`).
enum FCMAnswer {
    case outcome(PushOutcome)
    /// Our access token is none to it.
    case tokenRefused

    init(_ response: HTTPResponse) {
        guard response.status != 200 else {
            self = .outcome(.accepted)
            return
        }
        let error = response.json["error"]
        let details = error?["details"]?.array ?? []
        let code = details.lazy.compactMap { $0["errorCode"]?.string }.first
        let reason = reason(code ?? error?["status"]?.string, status: response.status)
        self =
            switch (response.status, reason) {
            case (_, "UNREGISTERED"): .outcome(.gone(since: nil))
            // Also said of a message that is wrong in another way: of the device only where it names its token.
            case (400, _) where Self.names("message.token", details): .outcome(.gone(since: nil))
            // The Firebase project's own key for APNs. Devices that are not Apple's are still reached.
            case (401, "THIRD_PARTY_AUTH_ERROR"): .outcome(.rejected(reason))
            case (401, _): .tokenRefused
            // The token is another project's, or ours are mixed up; no reason to forget the device.
            case (403, "SENDER_ID_MISMATCH"): .outcome(.rejected(reason))
            // Of the project, or of the account's rights in it.
            case (403, _): .outcome(.unauthorized(reason))
            case (404, _) where code == nil: .outcome(.unauthorized(reason))
            // Google, "Scale FCM messages": a minute where it does not say, and ten seconds at least after what failed within.
            case (429, _): .outcome(.again(after: response.pause ?? .seconds(60), troubled: true, reason))
            case (408, _), (500..., _): .outcome(.again(after: response.pause ?? .seconds(10), troubled: true, reason))
            default: .outcome(.rejected(reason))
            }
    }

    /// `google.rpc.BadRequest`
    private static func names(_ field: String, _ details: [JSONValue]) -> Bool {
        details.contains { detail in (detail["fieldViolations"]?.array ?? []).contains { $0["field"]?.string == field } }
    }
}
