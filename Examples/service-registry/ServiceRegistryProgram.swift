import Foundation

@main
enum ServiceRegistryProgram {
  @MainActor static func main() async {
    // A reader that goes away, such as `head`, ends the program without a word.
    signal(SIGPIPE, SIG_DFL)
    let arguments = CommandLine.arguments.dropFirst()
    let usage = "usage: service-registry [services | modals | events]..."
    if arguments == ["--help"] { return print(usage) }
    // Before anything is shown.
    guard arguments.allSatisfy(["services", "modals", "events"].contains) else {
      fail(usage, EX_USAGE)
    }
    for name in arguments.isEmpty ? ["services", "modals", "events"] : arguments {
      switch name {
      case "services": showServices()
      case "modals": await showModals()
      default: showEvents()
      }
    }
    // What was printed may not have been written yet.
    if fflush(nil) != 0 {
      let error = unsafe String(cString: strerror(errno))
      fail("service-registry: Writing to standard output failed: \(error).", EX_IOERR)
    }
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
    exit(status)
  }
}
