import Foundation

@main
enum ServiceRegistryProgram {
  @MainActor static func main() async {
    // A reader that goes away is an error to be told, not the end of the program.
    signal(SIGPIPE, SIG_IGN)
    let arguments = CommandLine.arguments.dropFirst()
    for name in arguments.isEmpty ? ["services", "modals", "events"] : arguments {
      switch name {
      case "services": showServices()
      case "modals": await showModals()
      case "events": showEvents()
      default:
        fail("usage: service-registry [services | modals | events]...", EX_USAGE)
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
