import ExampleSupport

extension Failure {
  /// The command line asks for what there is not.
  static func usage(_ message: String) -> Failure {
    Failure(message: "\(message)\nTry 'repo-insights --help'.", exitCode: 64)
  }
}
