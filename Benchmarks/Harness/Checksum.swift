/// What a workload left behind, beside what it should have: proof that it did the work.
struct Checksum: Sendable {
  let found: Double
  let expected: Double

  /// Makes a checksum of what was found and what there should be.
  init(_ found: Double, expected: Double) {
    self.found = found
    self.expected = expected
  }

  /// Makes a checksum of counts.
  init(_ found: Int, expected: Int) {
    self.init(Double(found), expected: Double(expected))
  }

  /// This checksum and another count, which both have to be right.
  func and(_ found: Int, expected: Int) -> Checksum {
    self.found == self.expected ? Checksum(found, expected: expected) : self
  }

  /// Throws unless what was found is what there should be.
  ///
  /// `isSabotaged` expects something else, for the test that a wrong checksum fails the run.
  func verify(_ trial: String, isSabotaged: Bool) throws(BenchmarkError) {
    let expected = isSabotaged ? expected + 1 : expected
    guard found == expected else {
      throw .wrongChecksum(trial: trial, found: found, expected: expected)
    }
  }
}
