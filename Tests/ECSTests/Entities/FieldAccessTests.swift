import ECS
import ECSTestSupport
import Testing

@Suite struct FieldAccessTests {
  // Each test has its own, and uses it from one thread.
  final class Box: @unchecked Sendable { var number = 1 }

  struct Inner: Equatable {
    var flag = false
    var name = "a"
  }

  struct Root {
    var small: Int8 = 1
    var text = String(repeating: "x", count: 40)
    var optional: Int?
    var inner = Inner()
    let box = Box()
    var pair = (1, "two")
    var watched = 0 { didSet { changes += 1 } }
    var changes = 0
    var doubled: Int {
      get { Int(small) * 2 }
      set { small = Int8(newValue / 2) }
    }
  }

  private func check<Value: Equatable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ value: Value
  ) {
    let access = FieldAccess(keyPath)
    var root = Root()
    expectEqual(access.get(root), root[keyPath: keyPath])
    access.set(value, in: &root)
    expectEqual(access.get(root), value)
    expectEqual(root[keyPath: keyPath], value)
    expectEqual(access.keyPath, keyPath)
    expectEqual(FieldReader(keyPath).get(root), value)
  }

  @Test func `Stored fields are read and written as by their key paths`() {
    check(\.small, 7)
    check(\.text, String(repeating: "y", count: 50))
    check(\.optional, 3)
    check(\.inner, Inner(flag: true, name: "b"))
    check(\.inner.name, String(repeating: "z", count: 30))
    check(\.pair.1, "three")
  }

  @Test
  func `Computed fields, observed fields and fields of objects are written through the key path`() {
    check(\.doubled, 8)
    check(\.box.number, 9)
    check(\.watched, 4)
    var root = Root()
    FieldAccess(\Root.watched).set(4, in: &root)
    expectEqual(root.changes, 1)
  }

  struct Constant {
    let first = 1
    let name = String(repeating: "n", count: 40)
  }

  @Test func `Constants are read`() {
    expectEqual(FieldReader(\Constant.name).get(Constant()).count, 40)
    expectEqual(FieldReader(\Constant.name.count).get(Constant()), 40)
  }

  @Test func `Copies of a value stay as they are`() {
    var root = Root()
    let copy = root
    FieldAccess(\Root.text).set("short", in: &root)
    FieldAccess(\Root.inner.name).set("other", in: &root)
    expectEqual(copy.text.count, 40)
    expectEqual(copy.inner.name, "a")
    expectEqual(root.text, "short")
  }
}
