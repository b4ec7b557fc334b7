import ECS
import ECSSnapshots
import Foundation

// Packs are snapshots of the events alone, so that they say by themselves what they are, of which
// version, and whether they are damaged.
extension Cluster {
  func encode(_ events: [Event]) throws(ClusterError) -> [UInt8] {
    do throws(SnapshotError) {
      return Array(try Snapshot(of: events, eventSchema).data)
    } catch {
      throw .schema(error)
    }
  }

  func decode(_ bytes: [UInt8]) throws(SnapshotError) -> [Event] {
    try Snapshot(Data(bytes)).values(of: Event.self, eventSchema)
  }
}
