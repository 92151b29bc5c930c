public import MenuGame

extension Rooms {
    /// What new rooms, solo games and random menus are played with; a room that is open has its own. Whoever needs it twice asks once: it
    /// may be another the next time.
    public var catalogue: Catalogue { library.current }

    /// A menu of the current catalogue, or else of one that rooms may still be played with; and that catalogue.
    public func menu(_ id: Identifier) -> (menu: Catalogue.Menu, catalogue: Catalogue)? { library.menu(id) }

    /// Has new rooms opened with another catalogue, once the store has it. Where the store cannot keep it nothing changes.
    public func replaceCatalogue(with catalogue: Catalogue, bytes: [UInt8], completion: @escaping Completion<Void>) {
        writer.perform { [self] in
            guard !writer.isClosed else { return completion(.failure(.shuttingDown)) }
            do throws(StoreError) {
                try library.replace(with: catalogue, bytes: bytes)
                completion(.success(()))
            } catch {
                observer.storeFailed(error)
                completion(.failure(.storeUnavailable))
            }
        }
    }
}
