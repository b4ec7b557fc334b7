/// An error that keeps a flight recording from being read or written.
public struct FlightFileError: Error, Hashable, Sendable {
  /// The reason for the error.
  public enum Reason: Hashable, Sendable {
    /// The first line is not that of a flight recording.
    case notARecording

    /// It is of a later version of the format.
    case laterFormat

    /// It ends too early, or goes on after its end.
    case truncated

    /// A line is not what it has to be; with what is wrong.
    case malformed(String)

    /// The file system refused; with what it said.
    case file(String)
  }

  /// What is wrong.
  public let reason: Reason

  /// The number of the line, from 1 on; 0 if it is about the file.
  public let line: Int

  init(_ reason: Reason, line: Int) {
    self.reason = reason
    self.line = line
  }
}

extension FlightFileError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let prefix = line > 0 ? "line \(line): " : ""
    return switch reason {
    case .notARecording: "\(prefix)this is no flight recording"
    case .laterFormat: "\(prefix)this is a flight recording of a later version"
    case .truncated: "\(prefix)the flight recording is not complete"
    case .malformed(let what): "\(prefix)malformed: \(what)"
    case .file(let what): what
    }
  }
}
