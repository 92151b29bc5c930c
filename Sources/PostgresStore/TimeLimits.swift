/// How long this side waits, in one place. The server is given limits to waits for locks only: a `statement_timeout` that ends the wait for
/// a synchronous standby makes a success of a commit that is not replicated.
struct TimeLimits: Sendable {
    /// For a transaction that writes, with all that it waits for: other servers' locks, the disk, a standby.
    var write = Duration.seconds(10)
    /// For whatever only reads.
    var read = Duration.seconds(2)
    /// For what is done while rooms are held, until the server lets go of them.
    var hold = Duration.seconds(5)
    /// For somebody else's lock on what a commit writes, so that one room does not hold up the others of its batch for long.
    var commitLock = Duration.milliseconds(300)
    /// The same for rooms that are to be held, and for the commit that they are held for.
    var holdLock = Duration.seconds(3)
    /// For a step of the schema, and for another server that is taking one.
    var migration = Duration.seconds(120)
    /// Between two signs of life that are asked of the connection that listens, and two looks at those that nobody uses. Without one after
    /// that long it is given up.
    var heartbeat = Duration.seconds(2)
    /// From a failed attempt to connect to the next one: at first, and at most.
    var retry = Duration.milliseconds(100)...Duration.seconds(1)
}
