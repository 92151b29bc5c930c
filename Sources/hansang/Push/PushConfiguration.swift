import Push

/// By which services phones are told of changes, and with what.
struct PushConfiguration: Sendable {
    /// A service account's file; `nil` for no FCM.
    var fcmPath: String?
    /// A key's `.p8` file; `nil` for no APNs.
    var apnsKeyPath: String?
    var apnsKeyID = ""
    var apnsTeam = ""
    var apnsTopic = ""
    var fcmURL = FCM.origin
    var apnsURL = APNsConfiguration.production
    /// Certificates of those who vouch for the services; `nil` for the system's.
    var authoritiesPath: String?
    var includesLegacy = false

    static let options = [
        Option(
            name: "push-fcm", placeholder: "FILE",
            help: "a service account of a Firebase project, as JSON with mode 0600: phones are told by FCM",
            fallback: nil),
        Option(
            name: "push-apns-key", placeholder: "FILE", help: "an APNs key (.p8) with mode 0600: phones are told by Apple", fallback: nil),
        Option(name: "push-apns-key-id", placeholder: "ID", help: "that key's", fallback: nil),
        Option(name: "push-apns-team", placeholder: "ID", help: "the developer team's", fallback: nil),
        Option(name: "push-apns-topic", placeholder: "BUNDLE", help: "the app's bundle id", fallback: nil),
        Option(
            name: "push-apns-url", placeholder: "URL", help: "https://api.sandbox.push.apple.com for an app in development",
            fallback: APNsConfiguration.production),
        Option(name: "push-fcm-url", placeholder: "URL", help: "where FCM is", fallback: FCM.origin),
        Option(
            name: "push-ca", placeholder: "FILE", help: "certificates of those who vouch for the services (PEM); else the system's",
            fallback: nil),
        Option(name: "push-legacy", help: "the shipped app's phones are registered by themselves (with --legacy-api)", fallback: "false"),
    ]

    init() {}

    init(_ options: Options) throws(UsageError) {
        fcmPath = options["push-fcm"]
        apnsKeyPath = options["push-apns-key"]
        fcmURL = options["push-fcm-url"] ?? fcmURL
        apnsURL = options["push-apns-url"] ?? apnsURL
        authoritiesPath = options["push-ca"]
        includesLegacy = try options.isOn("push-legacy")
        guard apnsKeyPath != nil else { return }
        func needed(_ name: String) throws(UsageError) -> String {
            guard let value = options[name] else { throw UsageError(description: "--push-apns-key needs --\(name)") }
            return value
        }
        apnsKeyID = try needed("push-apns-key-id")
        apnsTeam = try needed("push-apns-team")
        apnsTopic = try needed("push-apns-topic")
    }
}
