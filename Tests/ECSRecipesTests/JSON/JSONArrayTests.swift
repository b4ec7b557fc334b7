import ECSRecipes
import ECSTestSupport
import Testing

@Suite struct JSONArrayTests {
  @Test func `A list is changed as an array is, and its copies stay`() {
    var list: JSONArray = [1, "a", [true]]
    let copy = list
    list.append(.null)
    list[0] = 2
    list.remove(at: 1)
    list.insert(contentsOf: ["x", "y"], at: 1)
    expectEqual(list, [2, "x", "y", [true], .null])
    expectEqual(copy, [1, "a", [true]])
    expectEqual(list.elements, [2, "x", "y", [true], .null])
    expectEqual(list.description, #"[2,"x","y",[true],null]"#)
  }

  @Test func `Lists are made from any sequence, and from nothing`() {
    expectEqual(JSONArray((0..<3).map { .number(JSONNumber($0)) }), [0, 1, 2])
    expectEqual(JSONArray(repeatElement(.null, count: 2)), [.null, .null])
    expectEqual(JSONArray(), [])
    expectTrue(JSONArray().isEmpty && JSONArray().elements.isEmpty)
    expectEqual(JSONValue.array([JSONValue]()), [])
  }

  @Test func `Lists are equal, with the same hash, exactly if their elements are`() {
    let lists: [JSONArray] = [[], [1], [1, 2], [2, 1], [[1, 2]], [["a": 1, "b": 2]]]
    expectEqual(Set(lists).count, lists.count)
    expectTrue(lists.contains([["b": 2, "a": 1]]))
  }
}
