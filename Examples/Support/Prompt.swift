import Foundation

/// What a program that reads commands shows on a terminal: a greeting, and a prompt before each command.
///
/// Where commands come from a file or a pipe, or answers go to one, there is neither.
package struct Prompt {
  private let text: String
  private let isShown = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

  /// Greets, if there is a terminal.
  ///
  /// - Parameters:
  ///   - text: The prompt.
  ///   - greeting: Some lines to begin with.
  /// - Throws: ``Failure``, if it can't be written.
  package init(_ text: String, greeting: String) throws(Failure) {
    self.text = text
    if isShown { try OutputFile.show(greeting) }
  }

  /// Asks for the next command.
  package func show() throws(Failure) { if isShown { try OutputFile.show(text) } }

  /// Begins a line instead of the prompt that stands there, for what is said without being asked.
  package func interrupt() throws(Failure) {
    // The prompt is written over, and what is left of a longer one is erased.
    if isShown { try OutputFile.show("\r\u{1B}[K") }
  }

  /// Ends the line of a prompt at which the input has ended.
  package func end() throws(Failure) { if isShown { try OutputFile.show("\n") } }
}
