import CQREncode

/// A text as a QR code (ISO/IEC 18004), by libqrencode.
struct QRCode {
    /// Modules along each side.
    private let width: Int
    /// Whether each module is dark, row by row.
    private let isDark: [Bool]

    /// Light modules around the code, which readers need (§5.3.8).
    private static let quietZone = 4

    /// `nil` for a text that is empty or longer than `APIBounds.qrCodeText`, and where there is no memory.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        // The bytes as they are: nothing of an address is in kanji. With level M a sixth of it may be covered.
        guard bytes.count <= APIBounds.qrCodeText, let code = QRcode_encodeData(Int32(bytes.count), &bytes, 0, QR_ECLEVEL_M) else {
            return nil
        }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // The lowest bit of a module says that it is dark.
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// The code as a picture: dark on light whatever the colours around it, so that it can be read in dark mode, too.
    var svg: [UInt8] {
        var path = ""
        for y in 0..<width {
            var x = 0
            while x < width {
                let start = x
                while x < width, isDark[y * width + x] { x += 1 }
                if x > start { path += "M\(start + Self.quietZone) \(y + Self.quietZone)h\(x - start)v1h-\(x - start)z" } else { x += 1 }
            }
        }
        let side = width + 2 * Self.quietZone
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <rect width="\(side)" height="\(side)" fill="#fff"/><path d="\(path)" fill="#000"/></svg>
            """
        return Array(svg.utf8)
    }
}
