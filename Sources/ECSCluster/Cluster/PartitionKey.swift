public import Foundation

/// An identifier of entities of a cluster, which says which partition they are in.
///
/// Equal keys combine the same, in all programs and versions. Keys that combine the same are in one
/// partition, also if they are not equal: entities that are linked have to be. So a key of your own
/// combines the part alone that they share, such as a tenant:
///
/// ```swift
/// struct DocumentKey: PartitionKey {
///   var tenant: Int
///   var id: Int
///
///   func combine(into hasher: inout PartitionHasher) { hasher.combine(UInt64(tenant)) }
/// }
/// ```
public protocol PartitionKey: Hashable, Sendable {
  /// Adds what tells its partition from others: all that tells it from other keys, or that part of
  /// it which the keys of linked entities share.
  func combine(into hasher: inout PartitionHasher)
}

extension PartitionKey {
  /// The partition of so many that it is in.
  func partition(of count: Int) -> Int {
    var hasher = PartitionHasher()
    combine(into: &hasher)
    return Int(hasher.finish() % UInt64(count))
  }
}

extension PartitionKey where Self: FixedWidthInteger {
  /// Adds what tells it from other keys.
  public func combine(into hasher: inout PartitionHasher) {
    hasher.combine(UInt64(truncatingIfNeeded: self))
  }
}

extension Int: PartitionKey {}
extension Int32: PartitionKey {}
extension Int64: PartitionKey {}
extension UInt: PartitionKey {}
extension UInt32: PartitionKey {}
extension UInt64: PartitionKey {}

extension String: PartitionKey {
  /// Adds what tells it from other keys.
  public func combine(into hasher: inout PartitionHasher) {
    // Texts that are equal may consist of other characters.
    let text = utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension UUID: PartitionKey {
  /// Adds what tells it from other keys.
  public func combine(into hasher: inout PartitionHasher) {
    let bytes = uuid
    let all = [
      bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9,
      bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
    ]
    for byte in all { hasher.combine(byte) }
  }
}
