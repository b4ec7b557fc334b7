/// Why there is no connection, in the words of the system.
package struct SocketFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
