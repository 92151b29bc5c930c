import GameJSON
import JSON
import MenuGame
import Testing

@Suite("The vectors of the rule")
struct GoldenTests {
    @Test("all of them are there") func count() { #expect(Golden.vectors.count == 122) }

    @Test("comes out as expected", arguments: Golden.vectors) func vector(_ vector: Golden.Vector) throws {
        let question = try RecommendationCase(json: vector.question)
        #expect(answer(question.recommendation, in: question.catalogue) == vector.expected)
    }

    @Test("all come out byte for byte through JSON text") func bytes() throws {
        for vector in Golden.vectors {
            let answer = try recommend(text(vector.question))
            #expect(answer == text(vector.expected), "\(vector.name): \(String(decoding: answer, as: UTF8.self))")
        }
    }

    @Test("the naive rule that the product's is compared to answers them too")
    func naive() {
        for vector in Golden.vectors where (vector.question["submissions"]?.array?.count ?? 0) <= 12 {
            if (vector.question["menus"]?.array ?? vector.question["catalogue"]?["menus"]?.array ?? []).count <= 16 {
                #expect(NaiveRule(vector.question).result() == vector.expected, "\(vector.name)")
            }
        }
    }
}

/// The answer as a value, in the shape of the vectors.
func answer(_ recommendation: Recommendation, in catalogue: Catalogue) -> JSONValue? {
    var writer = JSONWriter()
    writer.recommendation(recommendation, in: catalogue)
    return try? JSONValue(parsing: writer.bytes)
}

func text(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes
}
