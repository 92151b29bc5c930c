import GameJSON
import JSON
import MenuGame
import Testing

@Suite("A case for the rule, as JSON")
struct RecommendationCaseTests {
    private static let catalogue = """
        {"traits": ["hot", "rice", "soup"], "vetoes": ["fish"], "cuisines": ["east", "west"],
         "cards": [{"id": "hot", "kind": "trait", "trait": "hot"}, {"id": "staple", "kind": "traits", "options": ["rice", "soup"]},
                   {"id": "cuisine", "kind": "cuisines"}],
         "menus": [{"id": "a", "traits": {"hot": 1}, "cuisines": [], "contains": []},
                   {"id": "b", "traits": {"rice": 1}, "cuisines": ["east"], "contains": ["fish"]},
                   {"id": "c", "traits": {"soup": -2}, "cuisines": ["west"], "contains": null}]}
        """

    private func question(
        _ submissions: String = "[]", seed: String = #""room""#, catalogue: String = RecommendationCaseTests.catalogue,
        more: String = ""
    ) throws -> RecommendationCase {
        let text = #"{"catalogue": \#(catalogue), "submissions": \#(submissions), "seed": \#(seed)\#(more)}"#
        return try RecommendationCase(json: JSONValue(parsing: text.utf8))
    }

    private func fault(_ question: @autoclosure () throws -> RecommendationCase) -> String? {
        do {
            _ = try question()
            return nil
        } catch {
            return (error as? CaseFault)?.description
        }
    }

    @Test("a member's last submission replaces the earlier ones") func replaces() throws {
        let question = try question(
            #"[{"member": "p", "answers": {"hot": "like"}, "vetoes": ["fish"]}, {"member": "q"}, {"member": "p", "answers": {}}]"#)
        let silent = try AnswerSheet(AnswerDraft(), in: question.catalogue)
        #expect(question.ballots == [Ballot(silent), Ballot(silent)])
    }

    @Test("members are told apart by bytes") func bytes() throws {
        #expect(try question(#"[{"member": "\u00e9"}, {"member": "e\u0301"}]"#).ballots.count == 2)
    }

    @Test("weights of absent members and unknown menus to avoid are ignored") func ignored() throws {
        let question = try question(
            #"[{"member": "p"}, {"member": "q"}]"#, more: #", "weights": {"p": 4, "gone": 2}, "avoid": ["a", "nothing"], "note": 1"#)
        #expect(question.ballots.map(\.weight).sorted() == [1, 4])
        #expect(question.recommendation.menus.count == 3)
    }

    @Test("null is as good as no weights, nothing to avoid and all menus") func null() throws {
        #expect(try question(more: #", "weights": null, "avoid": null, "menus": null"#).recommendation == question().recommendation)
    }

    @Test("menus restrict the catalogue") func menus() throws {
        #expect(try question(more: #", "menus": ["c", "a", "nothing"]"#).catalogue.menus.map(\.id.text) == ["a", "c"])
    }

    @Test(
        "what is wrong is refused with its place",
        arguments: [
            (#"{}"#, "/submissions is not an array"),
            (#"[1]"#, "/submissions/0 is not an object"),
            (#"[{"member": 1}]"#, "/submissions/0/member is not a string"),
            (#"[{"member": "p", "answers": []}]"#, "/submissions/0/answers is not an object"),
            (#"[{"member": "p", "answers": {"hot": 1}}]"#, "/submissions/0/answers/hot is not a string or an array of strings"),
            (#"[{"member": "p", "answers": {"hot": "love"}}]"#, "/submissions/0/answers/hot is no option of this card"),
            (#"[{"member": "p", "answers": {"cold": "like"}}]"#, "/submissions/0/answers/cold is no card of the catalogue"),
            (#"[{"member": "p", "answers": {"staple": ["rice", "hot"]}}]"#, "/submissions/0/answers/staple/1 is no option of this card"),
            (
                #"[{"member": "p", "answers": {"staple": ["none", "rice"]}}]"#,
                "/submissions/0/answers/staple/0 is 'none' beside other options"
            ),
            (#"[{"member": "p", "answers": {"cuisine": ["north"]}}]"#, "/submissions/0/answers/cuisine/0 is no option of this card"),
            (#"[{"member": "p"}, {"member": "p", "vetoes": ["nuts"]}]"#, "/submissions/1/vetoes/0 is no veto of the catalogue"),
            (#"[{"member": "p", "vetoes": "fish"}]"#, "/submissions/0/vetoes is not an array"),
        ]) func submissions(json: String, words: String)
    {
        #expect(fault(try question(json)) == words)
    }

    @Test(
        "a weight that is not 1 to 4 is refused", arguments: ["0", "5", "-1", "1.5", "2.0", "true", "null", #""2""#, "9223372036854775807"])
    func weights(json: String) {
        #expect(fault(try question(more: #", "weights": {"p/q": \#(json)}"#)) == "/weights/p~1q is not an integer from 1 to 4")
    }

    @Test("so is everything else of the wrong type") func types() {
        #expect(fault(try question(seed: "7")) == "/seed is not a string")
        #expect(fault(try question(more: #", "weights": []"#)) == "/weights is not an object")
        #expect(fault(try question(more: #", "avoid": "a""#)) == "/avoid is not an array")
        #expect(fault(try question(more: #", "avoid": [null]"#)) == "/avoid/0 is not a string")
        #expect(fault(try question(catalogue: "7")) == "/catalogue is not an object")
        #expect(fault(try question(catalogue: #"{"traits": 1}"#)) == "/catalogue/traits is not an array")
        #expect(fault(try RecommendationCase(json: .array([]))) == "the case is not an object")
        #expect(throws: CaseFault.self) { try recommend(Array("{".utf8)) }
    }

    @Test("the answer is written as the vectors have it") func answer() throws {
        let text =
            #"{"catalogue": \#(Self.catalogue), "submissions": [{"member": "p", "answers": {"hot": "like"}, "vetoes": ["fish"]}], "seed": ""}"#
        let answer = try recommend(Array(text.utf8))
        #expect(
            String(decoding: answer, as: UTF8.self)
                == #"{"playerCount":1,"menus":[{"id":"a","likedBy":1,"keywords":[{"trait":"hot","side":"has","supporters":1,"opposers":0}]}]}"#
        )
    }
}
