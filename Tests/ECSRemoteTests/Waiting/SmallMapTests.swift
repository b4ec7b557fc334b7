import ECSRemote
import ECSTestSupport
import Testing

@Suite struct SmallMapTests {
  /// Random changes, beside a dictionary.
  @Test(arguments: 0..<20)
  func `Values are those of a dictionary`(_ seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var (values, model) = (SmallMap<Int, [Int]>(), [Int: [Int]]())
    for step in 0..<2000 {
      let key = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        values[key] = [step]
        model[key] = [step]
      case 1:
        values[key] = nil
        model[key] = nil
      case 2:
        let count = values.change(key) { value in
          value?.append(step)
          return value?.count
        }
        model[key]?.append(step)
        expectEqual(count, model[key]?.count)
      default:
        values.change(key) { $0 = ($0 ?? []) + [step] }
        model[key, default: []].append(step)
      }
      expectEqual(values[key], model[key])
      expectEqual(values.isEmpty, model.isEmpty)
    }
    for key in 0..<4 { expectEqual(values[key], model[key]) }
    expectEqual(values.keys.sorted(), model.keys.sorted())
    expectEqual(values.values.map(\.count).sorted(), model.values.map(\.count).sorted())
  }

  @Test func `Equal values are equal, whatever came first`() {
    var (one, other) = (SmallMap(1, for: "a"), SmallMap(2, for: "b"))
    expectNotEqual(one, other)
    one["b"] = 2
    other["a"] = 1
    expectEqual(one, other)
    one["a"] = nil
    expectNotEqual(one, other)
    other["a"] = nil
    expectEqual(one, other)
    other["b"] = nil
    expectNotEqual(one, other)
    one["b"] = nil
    expectEqual(one, other)
    expectEqual(one, SmallMap())
  }
}
