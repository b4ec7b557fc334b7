package import Testing

// What `#expect` says, as functions, with the names that they have in tests of the standard
// library: the compiler reads a call of them in a small part of the time that the macro takes.

package func expectTrue(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  guard !condition else { return }
  record("is false", comment(), fileID, filePath, line, column)
}

package func expectFalse(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  guard condition else { return }
  record("is true", comment(), fileID, filePath, line, column)
}

package func expectNil<Value>(
  _ value: Value?, _ comment: @autoclosure () -> Comment? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  guard let value else { return }
  record("\(value) is not nil", comment(), fileID, filePath, line, column)
}

package func expectNotNil<Value>(
  _ value: Value?, _ comment: @autoclosure () -> Comment? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  guard value == nil else { return }
  record("is nil", comment(), fileID, filePath, line, column)
}

package func expectEqual<Value: Equatable>(
  _ left: Value, _ right: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  guard left != right else { return }
  record("\(left) is not equal to \(right)", comment(), fileID, filePath, line, column)
}

package func expectNotEqual<Value: Equatable>(
  _ left: Value, _ right: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  guard left == right else { return }
  record("both are \(left)", comment(), fileID, filePath, line, column)
}

package func expectLessThan<Value: Comparable>(
  _ left: Value, _ right: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  guard !(left < right) else { return }
  record("\(left) is not less than \(right)", comment(), fileID, filePath, line, column)
}

package func expectLessThanOrEqual<Value: Comparable>(
  _ left: Value, _ right: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  guard !(left <= right) else { return }
  record("\(left) is not less than or equal to \(right)", comment(), fileID, filePath, line, column)
}

package func expectGreaterThan<Value: Comparable>(
  _ left: Value, _ right: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  guard !(left > right) else { return }
  record("\(left) is not greater than \(right)", comment(), fileID, filePath, line, column)
}

package func expectGreaterThanOrEqual<Value: Comparable>(
  _ left: Value, _ right: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  guard !(left >= right) else { return }
  record(
    "\(left) is not greater than or equal to \(right)", comment(), fileID, filePath, line, column)
}

private func record(
  _ failure: String, _ comment: Comment?, _ fileID: StaticString, _ filePath: StaticString,
  _ line: Int, _ column: Int
) {
  Issue.record(
    Comment(rawValue: "\(comment.map { "\($0): " } ?? "")\(failure)"),
    sourceLocation: SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: line, column: column))
}
