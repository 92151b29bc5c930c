extension [UInt8] {
    /// Whether `range` holds `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2), where the host may be empty. What is none could be
    /// one host to us and another to whoever stands before us.
    func isAuthority(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        let end = range.upperBound
        if index < end, self[index] == .leftBracket {
            let start = index &+ 1
            index = start
            while index < end, self[index].isHost || self[index] == .colon { index &+= 1 }
            guard index > start, index < end, self[index] == .rightBracket else { return false }
            index &+= 1
        } else {
            while index < end, self[index].isHost {
                if self[index] == .percent {
                    guard index &+ 2 < end, self[index &+ 1].hexValue != nil, self[index &+ 2].hexValue != nil else { return false }
                }
                index &+= 1
            }
        }
        guard index < end else { return true }
        return self[index] == .colon && self[(index &+ 1)..<end].allSatisfy(\.isDigit)
    }
}
