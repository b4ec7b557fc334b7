import ECS

/// Makes a recipe, a table, a schema or another definition that is written in the program, for a
/// constant.
///
/// Definitions throw, since some are made from data. One that is written in the program is right or
/// wrong in all runs: with this function it can be a `static let`, which is made when it is first
/// used, without `try!`.
///
/// ```swift
/// enum Model {
///   static let users = defined {
///     try Recipe("user") {
///       Identity(\UserID.value, at: "id", of: UserID())
///       Fields(of: User()) { Field(\.name, at: "name") }
///     }
///   }
/// }
/// ```
///
/// - Parameters:
///   - file: Where this is called.
///   - line: Where this is called.
///   - make: Makes the definition.
/// - Returns: The definition.
/// - Precondition: The definition is right. If it throws, the program stops with a message that has
///   the error, in every build; so use each such constant in a test.
public func defined<Definition, Failure: Error>(
  file: StaticString = #fileID, line: UInt = #line, _ make: () throws(Failure) -> Definition
) -> Definition {
  do throws(Failure) {
    return try make()
  } catch {
    stop(
      "What is defined at \(file):\(line) is wrong: \(error). Correct it, or make it by a plain call, and catch the error.",
      file: file, line: line)
  }
}
