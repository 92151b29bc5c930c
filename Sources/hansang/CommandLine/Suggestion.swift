/// Which of `names` was probably meant by `word`; `nil` where none is near.
func suggestion(for word: String, among names: [String]) -> String? {
    let nearest = names.map { (name: $0, distance: editDistance(word, $0)) }.min { $0.distance < $1.distance }
    // A third of it may be wrong, but not so much that it could be anything.
    return nearest.flatMap { $0.distance <= max(1, min(word.count, $0.name.count) / 3) ? $0.name : nil }
}

/// How many letters have to be changed, added, left out or swapped with their neighbour to make one word of another: optimal string
/// alignment, after Damerau (1964).
private func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1..<left.count + 1 {
        var current = [row]
        for column in 1..<right.count + 1 {
            let cost = left[row - 1] == right[column - 1] ? 0 : 1
            var distance = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                distance = min(distance, beforeLast[column - 2] + 1)
            }
            current.append(distance)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
