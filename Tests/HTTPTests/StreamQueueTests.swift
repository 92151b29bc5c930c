import HTTP
import Testing

@Suite("StreamQueue and StreamChunk")
struct StreamQueueTests {
    @Test("Pieces come out in the order they went in")
    func order() {
        var queue = StreamQueue(limit: 100)
        for piece in ["a", "b"] { #expect(add(StreamChunk(piece), to: &queue)) }
        #expect(take(&queue, 1) == ["a"])
        #expect(add(StreamChunk("c"), to: &queue))
        #expect(take(&queue) == ["b", "c"])
        #expect(queue.isEmpty)
    }

    @Test("A newer snapshot takes the place of one that waits, and goes behind what was said between them")
    func coalescing() {
        var queue = StreamQueue(limit: 100)
        queue.replace(with: StreamChunk("1"))
        queue.replace(with: StreamChunk("2"))
        #expect(take(&queue) == ["2"])
        _ = queue.add(StreamChunk("a"))
        queue.replace(with: StreamChunk("3"))
        _ = queue.add(StreamChunk("b"))
        var other = queue
        #expect(take(&other) == ["a", "3", "b"])
        queue.replace(with: StreamChunk("4"))
        _ = queue.add(StreamChunk("c"))
        #expect(take(&queue, 2) == ["a", "b"])
        #expect(add(StreamChunk("d"), to: &queue))
        #expect(take(&queue) == ["4", "c", "d"])
    }

    @Test("Whatever is said in whatever order, all pieces come in order and the last snapshot behind what was said before it")
    func mixtures() {
        var random = Numbers(state: 7)
        for _ in 0..<2000 {
            var queue = StreamQueue(limit: 10_000)
            var model: [String] = []
            for number in 0..<20 {
                switch random.next() % 3 {
                case 0:
                    #expect(add(StreamChunk("p\(number)"), to: &queue))
                    model.append("p\(number)")
                case 1:
                    queue.replace(with: StreamChunk("s\(number)"))
                    model.removeAll { $0.hasPrefix("s") }
                    model.append("s\(number)")
                default: #expect(take(&queue, 1).first == (model.isEmpty ? nil : model.removeFirst()))
                }
            }
            #expect(take(&queue) == model)
            #expect(queue.isEmpty)
        }
    }

    @Test("The bound counts what waits, and a single piece always finds room")
    func bound() {
        var queue = StreamQueue(limit: 4)
        #expect(add(StreamChunk("larger than the limit"), to: &queue))
        #expect(!add(StreamChunk("x"), to: &queue))
        queue.replace(with: StreamChunk("a snapshot of any size"))
        #expect(take(&queue, 1) == ["larger than the limit"])
        #expect(add(StreamChunk("abcd"), to: &queue))
        #expect(!add(StreamChunk("e"), to: &queue))
        #expect(take(&queue, 2) == ["a snapshot of any size", "abcd"])
        #expect(add(StreamChunk("e"), to: &queue))
    }

    @Test("What is empty is not said: as a chunk it would end the body")
    func empty() {
        var queue = StreamQueue(limit: 4)
        #expect(add(StreamChunk(""), to: &queue))
        queue.replace(with: StreamChunk(""))
        #expect(queue.isEmpty)
        #expect(take(&queue) == [])
    }

    @Test("A chunk is its size in hexadecimal, its content, and two ends of line", arguments: [1, 9, 10, 15, 16, 255, 256, 4096, 70_000])
    func framing(_ size: Int) {
        let content = [UInt8](repeating: 0x78, count: size)
        let chunk = StreamChunk(content)
        #expect(chunk.framed == Array("\(String(size, radix: 16))\r\n".utf8) + content + Array("\r\n".utf8))
        #expect(Array(chunk.content) == content)
        #expect(chunk.count == size)
    }

    // The macro would have it that its argument changes nothing.
    private func add(_ piece: StreamChunk, to queue: inout StreamQueue) -> Bool { queue.add(piece) }

    private func take(_ queue: inout StreamQueue, _ limit: Int = .max) -> [String] {
        var taken: [String] = []
        while taken.count < limit, let piece = queue.next() { taken.append(String(decoding: piece.content, as: UTF8.self)) }
        return taken
    }
}

/// The same numbers every time (xorshift).
private struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
