import MenuGame

/// What the writer knows from one batch to the next.
struct WriterMemory {
    /// Rooms whose last commit failed: what of it was stored can only be told by loading them again.
    var distrusted: Set<PIN> = []
    /// By number of digits, how many PINs are live; counted when first needed.
    var liveCounts: [Int: Int] = [:]
}
