import HTTP
import JSON
import UseCases

extension API {
    /// `GET /healthz`: the process is alive.
    func readHealth(_ call: Call) { call.send(200) { writer in writer.object { $0.member("status", "ok") } } }

    /// `GET /readyz`: the store takes writes. Which services phones are told by is said and decides nothing.
    func readReadiness(_ call: Call) {
        rooms.isReady { [push] isReady in
            guard isReady else { return call.refuse(Problem(.storeUnavailable)) }
            call.send(200) { writer in
                writer.object { writer in
                    writer.member("status", "ready")
                    writer.member(
                        "push",
                        object: { writer in
                            for service in PushService.allCases {
                                writer.name(text: service.rawValue)
                                writer.string(push.services.contains(service) ? "on" : "off")
                            }
                        })
                }
            }
        }
    }
}
