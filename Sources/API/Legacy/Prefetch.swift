import HTTP

/// Whether a browser or a messenger fetches this ahead of anybody who asks for it: for a preview of a link, or in case it is followed.
///
/// `Sec-Purpose` (Fetch §3.9), and what was written before there was that.
func isPrefetch(_ fields: Fields) -> Bool {
    [FieldName.secPurpose, .purpose, .xPurpose, .xMoz].contains { name in
        fields.values(of: name).contains { value in
            let value = String(decoding: value, as: UTF8.self).lowercased()
            return ["prefetch", "preview", "prerender"].contains { value.contains($0) }
        }
    }
}
