import Push
import UseCases

/// What gives messages to the services that there are credentials for. It needs no store.
struct PushSenders: Sendable {
    let all: [any PushSender]
    /// What they share; `nil` where there is none of them.
    let client: HTTPClient?

    /// - Throws: what is wrong with a file or what it holds, in one line.
    init(_ configuration: PushConfiguration) throws(FileError) {
        guard configuration.fcmPath != nil || configuration.apnsKeyPath != nil else {
            (all, client) = ([], nil)
            return
        }
        let client: HTTPClient
        do throws(HTTPClient.StartError) { client = try HTTPClient(authorities: configuration.authoritiesPath) } catch {
            throw FileError(description: error.description)
        }
        var senders: [any PushSender] = []
        if let path = configuration.fcmPath { senders.append(try Self.fcm(path, configuration, client)) }
        if let path = configuration.apnsKeyPath { senders.append(try Self.apns(path, configuration, client)) }
        (all, self.client) = (senders, client)
    }

    private static func fcm(_ path: String, _ configuration: PushConfiguration, _ client: HTTPClient) throws(FileError) -> FCM {
        let file = try secret(in: path, named: "the FCM service account", limit: PushLimits.keyFile)
        do throws(ConfigurationError) { return try FCM(ServiceAccount(file: file), client: client, origin: configuration.fcmURL) } catch {
            throw FileError(description: "\(path): \(error)")
        }
    }

    private static func apns(_ path: String, _ configuration: PushConfiguration, _ client: HTTPClient) throws(FileError) -> APNs {
        let key = try secret(in: path, named: "the APNs key", limit: PushLimits.keyFile)
        do throws(ConfigurationError) {
            return APNs(
                try APNsConfiguration(
                    key: key, keyID: configuration.apnsKeyID, team: configuration.apnsTeam, bundle: configuration.apnsTopic,
                    origin: configuration.apnsURL), client: client)
        } catch {
            throw FileError(description: "\(path): \(error)")
        }
    }
}
