import ECS

/// Records what systems do.
extension Recorder: SystemLogger where Item == String {
  package func willInit(_ name: String) { append("will init \(name)") }
  package func didInit(_ name: String) { append("did init \(name)") }
  package func willExecute(_ name: String) { append("will execute \(name)") }
  package func didExecute(_ name: String) { append("did execute \(name)") }
  package func willCleanup(_ name: String) { append("will clean \(name)") }
  package func didCleanup(_ name: String) { append("did clean \(name)") }
  package func willTeardown(_ name: String) { append("will end \(name)") }
  package func didTeardown(_ name: String) { append("did end \(name)") }
  package func didFail(_ name: String, _ error: any Error) { append("\(name) threw \(error)") }
}
