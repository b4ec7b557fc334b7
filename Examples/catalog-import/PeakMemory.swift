import Foundation

/// The largest amount of memory that this program has used by now, in bytes; nil if unknown.
func peakMemory() -> Int? {
  #if os(Linux)
    // What the kernel tells of resources used starts with those of the program that started this.
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { return nil }
    return kilobytes * 1024
  #else
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
    return Int(usage.ru_maxrss)
  #endif
}
