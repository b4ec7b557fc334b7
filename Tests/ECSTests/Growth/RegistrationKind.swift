import ECS
import ECSTestSupport
import Testing

/// Something that a program may have any number of, in one place.
///
/// To add a kind, add it to ``all``: that making and ending it does not become slower with the
/// number is tested for each.
struct RegistrationKind: Sendable, CustomTestStringConvertible {
  /// So many of a kind: made by `begin`, ended by `end`, which are measured.
  struct Trial {
    let begin: () -> Void
    let end: () -> Void
  }

  let name: String

  /// How many are made and ended in the smallest measurement.
  let size: Int

  /// Prepares to make so many.
  let prepare: @Sendable (Int) -> Trial

  init(_ name: String, size: Int = 1000, _ prepare: @escaping @Sendable (Int) -> Trial) {
    self.name = name
    self.size = size
    self.prepare = prepare
  }

  /// A kind of objects that end when they are released.
  static func objects<Subject, Element>(
    _ name: String, size: Int = 1000, of subject: @escaping @Sendable () -> Subject,
    _ make: @escaping @Sendable (Subject, Int) -> Element
  ) -> RegistrationKind {
    RegistrationKind(name, size: size) { count in
      let subject = subject()
      var elements: [Element?] = []
      elements.reserveCapacity(count)
      return Trial {
        for number in 0..<count { elements.append(make(subject, number)) }
      } end: {
        for number in scattered(count) { elements[number] = nil }
      }
    }
  }

  /// All numbers below a count, neither ascending nor descending.
  static func scattered(_ count: Int) -> some Sequence<Int> {
    let step = [7919, 7907, 7901].first { count % $0 != 0 } ?? 1
    return (0..<count).lazy.map { $0 * step % count }
  }

  var testDescription: String { name }
}
