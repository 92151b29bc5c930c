import HTTP
import JSON
import UseCases

extension API {
    /// `GET /healthz`: the process is alive.
    func readHealth(_ call: Call) { call.send(200) { writer in writer.object { $0.member("status", "ok") } } }

    /// `GET /readyz`: the store takes writes.
    func readReadiness(_ call: Call) {
        rooms.isReady { isReady in
            guard isReady else { return call.refuse(Problem(.storeUnavailable)) }
            call.send(200) { writer in writer.object { $0.member("status", "ready") } }
        }
    }
}
