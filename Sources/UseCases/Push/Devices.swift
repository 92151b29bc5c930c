public import MenuGame

/// What devices say of how they want to be told, written down for many at once on a queue of its own: away from the writer of the rooms.
public final class Devices: Sendable {
    private struct Waiting {
        let change: PushRegistryChange
        let completion: Completion<Void>
    }

    private let waiting = BatchQueue<Waiting>(
        "hansang.devices", capacity: Bounds.waitingRegistrations, batchSize: Bounds.registrationsPerCall)
    private let rooms: Rooms
    private let registry: any PushRegistry

    public init(rooms: Rooms, registry: any PushRegistry) {
        self.rooms = rooms
        self.registry = registry
    }

    /// Keeps a push token for as long as it is renewed.
    public func register(
        _ pushToken: String, of platform: PushPlatform, by owner: TokenHash, language: Language, completion: @escaping Completion<Void>
    ) {
        let now = rooms.now()
        let end = now.advanced(by: Bounds.registrationLifetime)
        add(
            .register(
                PushDevice(
                    owner: owner, platform: platform, pushToken: pushToken, language: language, room: nil, at: now, expiresAt: end)),
            completion)
    }

    /// Keeps a live activity's push token for as long as its room lives, and until its end is told.
    ///
    /// - Parameter pin: of the room. `roomNotFound` where there is none.
    public func register(
        liveActivity pushToken: String, of pin: PIN, by owner: TokenHash, language: Language, completion: @escaping Completion<Void>
    ) {
        rooms.read(pin) { [self] result in
            switch result {
            case .failure(let failure): completion(.failure(failure))
            case .success(let published):
                let end = published.expiresAt.advanced(by: 2 * Bounds.pushLifetime)
                add(
                    .register(
                        PushDevice(
                            owner: owner, platform: .liveActivity, pushToken: pushToken, language: language, room: published.room.id,
                            at: rooms.now(), expiresAt: end)), completion)
            }
        }
    }

    /// Forgets all of a device's push tokens.
    public func unregister(_ owner: TokenHash, completion: @escaping Completion<Void>) { add(.unregister(owner), completion) }

    /// Deletes what nobody has renewed, in small transactions.
    public func sweep(completion: @escaping @Sendable () -> Void) {
        waiting.perform { [self] in
            do throws(StoreError) {
                let count = try registry.deleteIdle(at: rooms.now(), limit: Bounds.registrationsPerSweep)
                if count < Bounds.registrationsPerSweep { completion() } else { sweep(completion: completion) }
            } catch {
                rooms.observer.storeFailed(error)
                completion()
            }
        }
    }

    private func add(_ change: PushRegistryChange, _ completion: @escaping Completion<Void>) {
        let isTaken = waiting.add(Waiting(change: change, completion: completion)) { self.apply($0) }
        if !isTaken { completion(.failure(.storeUnavailable)) }
    }

    private func apply(_ batch: [Waiting]) {
        let result: Result<Void, Failure>
        do throws(StoreError) {
            try registry.apply(batch.map(\.change))
            result = .success(())
        } catch {
            rooms.observer.storeFailed(error)
            result = .failure(.storeUnavailable)
        }
        for waiting in batch { waiting.completion(result) }
    }
}
