import MenuGame
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A store that has found its database again", .timeLimit(.minutes(5))) struct ResumeTests {
    @Test("can be asked for what has changed from the moment on at which it says that it hears of changes") func answers() async throws {
        let server = try await PostgresServer.started()
        let store = try PostgresStore(uri: server.uri)
        let silences = Mutex(0)
        let answers = Mutex<[Bool]>([])
        store.listen { [weak store] news in
            switch news {
            case .silent: silences.withLock { $0 += 1 }
            case .resumed:
                let found = try? store?.versions(of: [Identifier("r_none")])
                answers.withLock { $0.append(found?.isEmpty == true) }
            case .changed: break
            }
        }
        for round in 1...2 {
            try await server.tell("kill")
            #expect(try await eventually(within: .seconds(60)) { silences.withLock { $0 } == round })
            try await server.tell("start")
            #expect(try await eventually(within: .seconds(60)) { answers.withLock(\.count) == round })
        }
        #expect(answers.withLock { $0 } == [true, true])
        store.close()
    }
}
