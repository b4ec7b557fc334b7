/// The alignment of two sequences: what is in both, and what in one of them only.
enum Alignment {
  /// A step through both sequences.
  enum Step: Equatable {
    /// The next elements of both match.
    case both

    /// The next element of the first one has no partner.
    case first

    /// The next element of the second one has no partner.
    case second
  }

  /// The steps with the most partners; of those without any, the first sequence's come first.
  ///
  /// - Complexity: O(*n* · *m*) beyond what both begin and end with.
  static func steps<First, Second>(
    _ first: [First], _ second: [Second], _ match: (First, Second) -> Bool
  ) -> [Step] {
    let common = zip(first, second).prefix { match($0, $1) }.count
    let (left, right) = (first.dropFirst(common), second.dropFirst(common))
    let tail = zip(left.reversed(), right.reversed()).prefix { match($0, $1) }.count
    let middle = middleSteps(Array(left.dropLast(tail)), Array(right.dropLast(tail)), match)
    return Array(repeating: .both, count: common) + middle + Array(repeating: .both, count: tail)
  }

  private static func middleSteps<First, Second>(
    _ first: [First], _ second: [Second], _ match: (First, Second) -> Bool
  ) -> [Step] {
    // The number of partners in what follows two positions.
    var partners = Array(
      repeating: Array(repeating: 0, count: second.count + 1), count: first.count + 1)
    for row in first.indices.reversed() {
      for column in second.indices.reversed() {
        partners[row][column] =
          match(first[row], second[column])
          ? partners[row + 1][column + 1] + 1
          : max(partners[row + 1][column], partners[row][column + 1])
      }
    }
    var steps: [Step] = []
    var (row, column) = (0, 0)
    while row < first.count || column < second.count {
      if row < first.count, column < second.count, match(first[row], second[column]) {
        steps.append(.both)
        (row, column) = (row + 1, column + 1)
      } else if column == second.count
        || row < first.count && partners[row + 1][column] >= partners[row][column + 1]
      {
        steps.append(.first)
        row += 1
      } else {
        steps.append(.second)
        column += 1
      }
    }
    return steps
  }
}
