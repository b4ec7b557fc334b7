import ECS
public import ECSSnapshots

/// An error that keeps a recording from being read, or replayed.
public struct ReplayError: Error, Sendable {
  /// The reason for the error.
  public enum Reason: Sendable {
    /// The data does not begin as a recording does.
    case notARecording

    /// The data is of a later version of the format; with its number.
    case laterFormat(Int)

    /// The data ends too early, or goes on after its end.
    case truncated

    /// Bytes are not those that were written.
    case damaged

    /// The data contradicts itself; with how.
    case malformed(String)

    /// What there was at the beginning, or a value, can't be read or written.
    case snapshot(SnapshotError)

    /// The recording has no pass of a loop from here on; with its name.
    case noPass(String)

    /// Something else has changed the context meanwhile.
    case changed

    /// A system did something else than was recorded.
    case difference(ReplayDifference)

    /// The file system refused; with what it said.
    case file(String)
  }

  /// What is wrong.
  public let reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  /// The first thing that was not as it was recorded; nil if something else is wrong.
  public var difference: ReplayDifference? {
    if case .difference(let difference) = reason { difference } else { nil }
  }
}

extension ReplayError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch reason {
    case .notARecording: "the data is no recording of a run"
    case .laterFormat(let version): "the recording has the later format \(version)"
    case .truncated: "the recording is not complete"
    case .damaged: "the recording is damaged: its checksum is another one"
    case .malformed(let why): "the recording contradicts itself: \(why)"
    case .snapshot(let error): "\(error)"
    case .noPass(let loop):
      "the recording has no pass of loop '\(loop)' from here on: pass the recorder to the loop as its logger, and replay a loop of the same name"
    case .changed: "the context was changed by somebody else than the replay"
    case .difference(let difference): "\(difference)"
    case .file(let what): what
    }
  }
}
