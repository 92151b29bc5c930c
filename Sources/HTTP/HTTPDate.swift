/// A point in time as the fields write it, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public struct HTTPDate: Sendable {
    /// 29 ASCII characters, up to the year 9999.
    public let bytes: [UInt8]

    /// `seconds` since 1970, and 1970 for any earlier; made once a second, not once a response.
    public init(secondsSince1970 seconds: Int) {
        let (days, second) = max(0, seconds).quotientAndRemainder(dividingBy: 86_400)
        // Days to a date in the proleptic Gregorian calendar, in years that begin in March so that the leap day comes last.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

        let weekdays: [StaticString] = ["Thu, ", "Fri, ", "Sat, ", "Sun, ", "Mon, ", "Tue, ", "Wed, "]
        let months: [StaticString] = [
            " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec ",
        ]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        func appendTwo(_ number: Int) {
            if number < 10 { bytes.append(.zero) }
            bytes.append(decimal: number)
        }
        bytes.append(weekdays[days % 7])
        appendTwo(day)
        bytes.append(months[month - 1])
        bytes.append(decimal: year)
        for (mark, number) in [(UInt8.space, second / 3600), (.colon, second / 60 % 60), (.colon, second % 60)] {
            bytes.append(mark)
            appendTwo(number)
        }
        bytes.append(" GMT")
        self.bytes = bytes
    }
}
