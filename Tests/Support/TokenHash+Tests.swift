public import MenuGame

extension TokenHash {
    /// The hash that begins with `bytes`, zeros behind them.
    public static func beginning(_ bytes: [UInt8]) -> TokenHash {
        let padded = Array((bytes + [UInt8](repeating: 0, count: length)).prefix(length))
        guard let hash = TokenHash(bytes: padded) else { preconditionFailure("a hash has \(length) bytes") }
        return hash
    }
}
