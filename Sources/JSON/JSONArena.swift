import CJansson
import Glibc

/// The memory of one JSON text: pieces one behind the other, of which none is freed before all are.
///
/// Jansson asks for some fifty pieces for the body of a request, and to free them one by one it would go through all of them again.
final class JSONArena {
    private var blocks: Blocks

    /// - Parameter count: bytes of the text.
    init(forText count: Int) { blocks = Blocks(ofSize: min(max(count, Blocks.sizes.lowerBound), Blocks.sizes.upperBound)) }

    /// Runs `body`, within which Jansson takes its memory from here. Elsewhere it gets none.
    func use<Result>(_ body: () -> Result) -> Result {
        withUnsafeMutablePointer(to: &blocks) { blocks in
            pthread_setspecific(Self.inUse, blocks)
            defer { pthread_setspecific(Self.inUse, nil) }
            return body()
        }
    }

    /// Where a thread has the blocks that are in use on it, for Jansson's functions are told of nothing but a size.
    private static let inUse: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "too many kinds of data of threads")
        json_set_alloc_funcs({ pthread_getspecific(inUse)?.assumingMemoryBound(to: Blocks.self).pointee.piece(of: $0) }, { _ in })
        return key
    }()
}

/// Memory by the block. Each begins with the address of the one before it and is freed with the last; of the newest, the `left` bytes from
/// `next` on have not been handed out.
private struct Blocks: ~Copyable {
    private let size: Int
    private var newest: UnsafeMutableRawPointer?
    private var next: UnsafeMutableRawPointer?
    private var left = 0

    /// A block is as large as the text, of which Jansson makes some twelve times as many bytes, but no smaller than what `malloc` has at
    /// hand for each thread, and no larger than what may be left unused at the end.
    static let sizes = 1008...1_048_576
    /// Every piece begins at a multiple of it, as with `malloc`.
    private static let alignment = 16

    init(ofSize size: Int) { self.size = size }

    deinit {
        var block = newest
        while let last = block {
            block = last.load(as: UnsafeMutableRawPointer?.self)
            free(last)
        }
    }

    /// `nil` where there is no memory left, as from `malloc`.
    mutating func piece(of size: Int) -> UnsafeMutableRawPointer? {
        // A size that is out of the range of `Int` comes as a negative one.
        guard size >= 0, size <= Int.max - 2 * Self.alignment else { return nil }
        let size = (size + Self.alignment - 1) & -Self.alignment
        if size > left, !addBlock(for: size) { return nil }
        guard let piece = next else { return nil }
        next = piece + size
        left -= size
        return piece
    }

    private mutating func addBlock(for piece: Int) -> Bool {
        let size = max(piece, size)
        guard let block = malloc(Self.alignment + size) else { return false }
        block.storeBytes(of: newest, as: UnsafeMutableRawPointer?.self)
        newest = block
        next = block + Self.alignment
        left = size
        return true
    }
}
