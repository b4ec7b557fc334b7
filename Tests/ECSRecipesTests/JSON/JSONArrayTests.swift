import ECSRecipes
import Testing

@Suite struct JSONArrayTests {
  @Test func `A list is changed as an array is, and its copies stay`() {
    var list: JSONArray = [1, "a", [true]]
    let copy = list
    list.append(.null)
    list[0] = 2
    list.remove(at: 1)
    list.insert(contentsOf: ["x", "y"], at: 1)
    #expect(list == [2, "x", "y", [true], .null])
    #expect(copy == [1, "a", [true]])
    #expect(list.elements == [2, "x", "y", [true], .null])
    #expect(list.description == #"[2,"x","y",[true],null]"#)
  }

  @Test func `Lists are made from any sequence, and from nothing`() {
    #expect(JSONArray((0..<3).map { .number(JSONNumber($0)) }) == [0, 1, 2])
    #expect(JSONArray(repeatElement(.null, count: 2)) == [.null, .null])
    #expect(JSONArray() == [])
    #expect(JSONArray().isEmpty && JSONArray().elements.isEmpty)
    #expect(JSONValue.array([JSONValue]()) == [])
  }

  @Test func `Lists are equal, with the same hash, exactly if their elements are`() {
    let lists: [JSONArray] = [[], [1], [1, 2], [2, 1], [[1, 2]], [["a": 1, "b": 2]]]
    #expect(Set(lists).count == lists.count)
    #expect(lists.contains([["b": 2, "a": 1]]))
  }
}
