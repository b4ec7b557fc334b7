/// Why a run ends without a result.
enum BenchmarkError: Error {
  case unknownOption(String)
  case missingValue(option: String)
  case superfluousValue(option: String)
  case badValue(option: String, value: String, wanted: String)
  case nothingToRun
  case cannotRead(file: String, reason: String)
  case cannotWrite(file: String, reason: String)
  case wrongChecksum(trial: String, found: Double, expected: Double)
  case workerFailed(trial: String, reason: String)

  /// The status the program exits with, as in `sysexits.h`.
  var exitStatus: Int32 {
    switch self {
    case .unknownOption, .missingValue, .superfluousValue, .badValue, .nothingToRun: 64
    case .cannotRead: 66
    case .cannotWrite: 73
    case .wrongChecksum, .workerFailed: 70
    }
  }
}

extension BenchmarkError: CustomStringConvertible {
  /// What went wrong and what to do about it.
  var description: String {
    switch self {
    case .unknownOption(let option):
      "Unknown option '\(option)'. See --help."
    case .missingValue(let option):
      "\(option) needs a value. See --help."
    case .superfluousValue(let option):
      "\(option) takes no value. See --help."
    case .badValue(let option, let value, let wanted):
      "\(option) takes \(wanted), not '\(value)'."
    case .nothingToRun:
      "No row is left to run. See --list for the existing rows."
    case .cannotRead(let file, let reason):
      "Cannot read \(file): \(reason)."
    case .cannotWrite(let file, let reason):
      "Cannot write \(file): \(reason)."
    case .wrongChecksum(let trial, let found, let expected):
      "\(trial): wrong checksum \(found), expected \(expected). The workload did not do its work."
    case .workerFailed(let trial, let reason):
      "\(trial): \(reason)."
    }
  }
}
