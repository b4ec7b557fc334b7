import Foundation

@main
enum ServiceRegistryProgram {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    for name in arguments.isEmpty ? ["services", "modals", "events"] : arguments {
      switch name {
      case "services": showServices()
      case "modals": await showModals()
      case "events": showEvents()
      default:
        FileHandle.standardError.write(
          Data("usage: service-registry [services | modals | events]...\n".utf8))
        exit(EX_USAGE)
      }
    }
  }
}
