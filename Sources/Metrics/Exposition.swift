/// The text format in which Prometheus reads metrics, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
public enum Exposition {
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// All of `families`, in their order.
    public static func text(of families: [Family]) -> [UInt8] {
        var lines = ""
        for family in families {
            lines += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples() {
                lines += family.name + sample.suffix
                if !sample.labels.isEmpty {
                    lines += "{" + sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
                }
                lines += " \(Metrics.text(sample.value))\n"
            }
        }
        return Array(lines.utf8)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? escaped.replacing("\"", with: "\\\"") : escaped
    }
}

/// A number as Go reads it: without a fraction where it has none.
func text(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    // What scaling has added in the last places says nothing: nine places are kept.
    let places = 1e9
    let rounded = (value * places).rounded() / places
    return "\(rounded)"
}
