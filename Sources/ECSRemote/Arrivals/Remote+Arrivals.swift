import ECS
import ECSRecipes
import Foundation

/// Groups by which what a list says is noted of many entities at once.
struct Arrivals: Sendable {
  /// Entities of which anything was noted.
  let known: Group

  /// Those of which nothing was but what the server has.
  let copied: Group

  /// And that they were fetched.
  let dated: Group

  init(_ context: Context) {
    let (fetched, memory) = (RemoteState.Fetched.cid, RemoteMemory.cid)
    let copy = ServerCopy.cid
    known = context.group(
      Matcher(any: [
        fetched, memory, copy, MissedChange.cid, RemoteState.Loading.cid, RemoteState.Failed.cid,
        RemoteState.Stale.cid,
      ]))
    copied = context.group(Matcher(all: [copy], none: [fetched, memory]))
    dated = context.group(Matcher(all: [copy, fetched], none: [memory]))
  }

  /// Whether there are none that had their copies from elsewhere, as those of a storage have.
  var isEmpty: Bool { copied.isEmpty && dated.isEmpty }
}

/// The facts to be noted of the entities of a list.
struct Arrival {
  let resource: Resource
  let entry: RemoteMemory.Entry
  let date: Date

  /// Whether entities of which nothing is known are noted together.
  let isTogether: Bool
}

// What a list says of entities is noted in one section of the context.
//
// PERFORMANCE: Nothing is known of most of them. They get what is different for each, and together
// what is not (H1).
extension Remote {
  func beginArrival(_ resource: Resource) -> Arrival {
    Arrival(
      resource: resource,
      entry: RemoteMemory.Entry(ofListOf: resource, time: configuration.clock.now()),
      date: configuration.date(),
      isTogether: resource.keepsCopies && outbox.isEmpty && arrivals.isEmpty)
  }

  /// The server has said what an entity is.
  func note(_ entity: Entity, by record: JSONValue, _ arrival: Arrival) {
    let (resource, entry) = (arrival.resource, arrival.entry)
    if arrival.isTogether, !arrivals.known.contains(entity),
      let data = known(by: record, over: nil, of: entity, resource)
    {
      let copy = ServerCopy.Copy(data: data, etag: entry.etag)
      _ = entity.set(ServerCopy(copy, named: resource.name))
    } else {
      noteSuccess(
        of: entity, resource, entry, known: known(by: record, of: entity, resource),
        at: arrival.date)
    }
  }

  /// All were noted.
  func end(_ arrival: Arrival) {
    guard arrival.isTogether else { return }
    let entry = arrival.entry
    arrivals.copied.set(RemoteState.Fetched(at: arrival.date, etag: entry.etag))
    arrivals.dated.set(RemoteMemory(entry))
  }
}
