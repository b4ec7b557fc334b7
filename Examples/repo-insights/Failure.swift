/// What ends the program early: a message for the user and the exit code.
struct Failure: Error {
  let message: String
  var exitCode: Int32 = 1

  static func usage(_ message: String) -> Failure {
    Failure(message: "\(message)\nTry 'repo-insights --help'.", exitCode: 64)
  }
}
