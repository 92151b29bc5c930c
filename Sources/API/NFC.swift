import CUTF8Proc

/// A text in Normalization Form C (UAX #15), by utf8proc; unchanged where it runs out of memory.
func normalizedToNFC(_ text: String) -> String {
    text.withCString { bytes in
        bytes.withMemoryRebound(to: utf8proc_uint8_t.self, capacity: text.utf8.count + 1) { bytes in
            var normalized: UnsafeMutablePointer<utf8proc_uint8_t>?
            let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
            let count = utf8proc_map(bytes, utf8proc_ssize_t(text.utf8.count), &normalized, options)
            guard count >= 0, let normalized else { return text }
            defer { free(normalized) }
            return String(decoding: UnsafeBufferPointer(start: normalized, count: count), as: UTF8.self)
        }
    }
}
