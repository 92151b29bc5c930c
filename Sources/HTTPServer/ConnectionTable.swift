/// The connections of a loop by their descriptors, which are small numbers that the system gives out again.
struct ConnectionTable {
    private var places: [Connection?] = []
    private(set) var count = 0
    /// The most there were at once since the last crowd has left.
    private var crowd = 0

    private static let largeCrowd = 256

    var isEmpty: Bool { count == 0 }

    var all: some Sequence<Connection> { places.lazy.compactMap(\.self) }

    subscript(descriptor: Int32) -> Connection? {
        let index = Int(descriptor)
        return index < places.count ? places[index] : nil
    }

    mutating func insert(_ connection: Connection) {
        let index = Int(connection.descriptor)
        if index >= places.count { places.append(contentsOf: repeatElement(nil, count: index + 1 - places.count)) }
        places[index] = connection
        count += 1
        crowd = max(crowd, count)
    }

    /// - Returns: whether it was there.
    mutating func remove(_ connection: Connection) -> Bool {
        guard self[connection.descriptor] === connection else { return false }
        places[Int(connection.descriptor)] = nil
        count -= 1
        return true
    }

    /// Whether a crowd has left; said once.
    mutating func crowdHasLeft() -> Bool {
        guard crowd >= Self.largeCrowd, count < crowd / 4 else { return false }
        crowd = count
        return true
    }
}
