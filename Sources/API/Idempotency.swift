import HTTP
import UseCases

extension API {
    /// What a request's `Idempotency-Key` asks for (draft-ietf-httpapi-idempotency-key-header); `nil` without one, where the method is not
    /// one that needs it, and where nobody says who they are: then there is nobody to whom a key could belong.
    func receiptWish(_ call: Call) throws(Problem) -> ReceiptWish? {
        guard call.request.method == .post else { return nil }
        let request = call.request
        let lines = request.fields.values(of: .idempotencyKey)
        guard !lines.isEmpty else { return nil }
        guard lines.count == 1, APIBounds.idempotencyKey.contains(lines[0].count), lines[0].allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw Problem(.malformedRequest)
        }
        guard let owner = call.caller else { return nil }
        let text = request.path + [UInt8(ascii: "?")] + (request.query ?? []) + [UInt8(ascii: "\n")] + request.body
        guard let hash = hash(text[...]) else { throw Problem(.storeUnavailable) }
        return ReceiptWish(key: ReceiptKey(owner: owner, key: String(decoding: lines[0], as: UTF8.self)), request: hash)
    }
}

extension Call {
    /// How to answer a command with what `response` makes of it: once and for all where the request has an idempotency key.
    ///
    /// - Parameter failed: told before the client is.
    func answering<Answer: Sendable>(
        failed: @escaping @Sendable () -> Void = {}, _ response: @escaping @Sendable (Answer) -> Response
    ) -> Answering<Answer> {
        let fail: @Sendable (Failure) -> Void = { [self] failure in
            failed()
            refuse(failure)
        }
        guard let wish else {
            return Answering { [self] result in
                switch result {
                case .success(let answer): send(response(answer))
                case .failure(let failure): fail(failure)
                }
            }
        }
        return Answering(
            wish,
            write: { [language] result in
                switch result {
                case .success(let answer): response(answer).kept
                case .failure(let refusal): Problem(.refused(refusal)).response(in: language).kept
                }
            }, give: { self.repeat($0) }, failed: fail)
    }

    /// Sends a response as it was kept.
    func `repeat`(_ kept: [UInt8]) {
        guard let response = Response(kept: kept) else { return refuse(Problem(.storeUnavailable)) }
        send(response)
    }
}

extension Response {
    /// What is kept of it, in bytes: the status, a line for each of `keptFields`, an empty line, the body.
    fileprivate var kept: [UInt8] {
        let lines = Self.keptFields.flatMap { name in fields.filter { $0.name == name }.map { "\(name.lowercased): \($0.value)" } }
        return Array(([String(status.code)] + lines + ["", ""]).joined(separator: "\n").utf8) + body
    }

    fileprivate init?(kept: [UInt8]) {
        guard let end = kept.indices.dropLast().first(where: { kept[$0] == 0x0A && kept[$0 + 1] == 0x0A }) else { return nil }
        let lines = String(decoding: kept[..<end], as: UTF8.self).split(separator: "\n")
        guard let line = lines.first, let status = Int(line) else { return nil }
        self.init(Status(status), body: Array(kept[(end + 2)...]))
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            guard let name = Self.keptFields.first(where: { $0.lowercased == line[..<colon] }) else { continue }
            fields.append(Field(name, String(line[colon...].dropFirst(2))))
        }
    }

    /// Those that say something of the content. Others, the request's id among them, are each answer's own.
    private static let keptFields: [FieldName] = [.contentType, .cacheControl, .contentLanguage, .vary, .location, .eTag]
}
