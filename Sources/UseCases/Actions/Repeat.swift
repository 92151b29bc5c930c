extension Rooms {
    /// The answer that was kept under a wish's key; `nil` where there is none yet. Fails with `idempotencyKeyReused` where it answers
    /// another request.
    ///
    /// To be asked before anything else that a command depends on, the time and limits among it, since a repeat depends on none of that.
    /// Whether the same command is just being carried out is looked at once more by the writer.
    public func answer(keptFor wish: ReceiptWish, completion: @escaping Completion<[UInt8]?>) {
        loader.find(wish.key) { result in
            completion(
                result.flatMap { receipt in
                    guard let receipt else { return .success(nil) }
                    return receipt.request == wish.request ? .success(receipt.answer) : .failure(.idempotencyKeyReused)
                })
        }
    }
}
