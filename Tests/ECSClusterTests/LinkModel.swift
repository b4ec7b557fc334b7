/// What events should do, in dictionaries.
struct LinkModel {
  private struct Links {
    var targets: [NodeKey: [NodeKey]] = [:]
    var sources: [NodeKey: [NodeKey]] = [:]
    var values: [NodeKey: [NodeKey: Int]] = [:]

    mutating func link(_ source: NodeKey, _ target: NodeKey, _ value: Int? = nil) {
      values[source, default: [:]][target] = value
      if targets[source]?.contains(target) == true { return }
      targets[source, default: []].append(target)
      sources[target, default: []].append(source)
    }

    mutating func unlink(_ source: NodeKey, _ target: NodeKey) {
      targets[source]?.removeAll { $0 == target }
      sources[target]?.removeAll { $0 == source }
      values[source]?[target] = nil
    }

    mutating func unlinkTargets(_ source: NodeKey, but kept: NodeKey? = nil) {
      for target in targets[source] ?? [] where target != kept { unlink(source, target) }
    }

    mutating func unlinkSources(_ target: NodeKey, but kept: NodeKey? = nil) {
      for source in sources[target] ?? [] where source != kept { unlink(source, target) }
    }

    mutating func rename(_ old: NodeKey, _ new: NodeKey) {
      func renamed(_ key: NodeKey) -> NodeKey { key == old ? new : key }
      func renamed<Value>(_ all: [NodeKey: Value]) -> [NodeKey: Value] {
        // What had the new key before has gone, and left an empty list.
        let others = all.filter { $0.key != new }
        return Dictionary(uniqueKeysWithValues: others.map { (renamed($0), $1) })
      }
      targets = renamed(targets).mapValues { $0.map(renamed) }
      sources = renamed(sources).mapValues { $0.map(renamed) }
      values = renamed(values).mapValues { renamed($0) }
    }

    func sentence(_ key: NodeKey) -> String {
      let targets = (targets[key] ?? []).map { target in
        "\(target.id)" + (values[key]?[target].map { "=\($0)" } ?? "")
      }
      let sources = (sources[key] ?? []).map { "\($0.id)" }
      return " [\(targets.joined(separator: " ")) < \(sources.joined(separator: " "))]"
    }
  }

  private var nodes: [NodeKey: (note: Int, isMarked: Bool)] = [:]
  private var (follows, members, twins, parts) = (Links(), Links(), Links(), Links())

  /// The events that could not be applied.
  private(set) var dead: [Wire] = []

  mutating func apply(_ wire: Wire) {
    var copy = self
    if copy.change(wire) { self = copy } else { dead.append(wire) }
  }

  /// False if it can't be applied.
  private mutating func change(_ wire: Wire) -> Bool {
    let (key, other) = (wire.key, wire.otherKey)
    add(key)
    switch wire.kind {
    case .touch:
      nodes[key]?.note += wire.number
      nodes[key]?.isMarked = wire.number % 3 != 0
    case .follow:
      add(other)
      follows.link(key, other, wire.number)
    case .unfollow:
      add(other)
      follows.unlink(key, other)
    case .unfollowAll: follows.unlinkTargets(key)
    case .join:
      add(other)
      members.unlinkTargets(key, but: other)
      members.link(key, other, wire.number)
    case .leave: members.unlinkTargets(key)
    case .pair:
      add(other)
      twins.unlinkTargets(key, but: other)
      twins.unlinkSources(other, but: key)
      twins.link(key, other)
    case .unpair: twins.unlinkTargets(key)
    case .attach:
      add(other)
      var next: NodeKey? = other
      while let ancestor = next {
        if ancestor == key { return false }
        next = parts.targets[ancestor]?.first
      }
      parts.unlinkTargets(key, but: other)
      parts.link(key, other)
    case .detach: parts.unlinkTargets(key)
    case .toFront:
      add(other)
      guard let place = follows.targets[key]?.firstIndex(of: other) else { break }
      follows.targets[key]?.remove(at: place)
      follows.targets[key]?.insert(other, at: 0)
    case .toEnd:
      add(other)
      guard let place = follows.sources[key]?.firstIndex(of: other) else { break }
      follows.sources[key]?.remove(at: place)
      follows.sources[key]?.append(other)
    case .reverse: follows.sources[key]?.reverse()
    case .destroy: destroy(key)
    case .renew:
      destroy(key)
      nodes[key] = (wire.number, false)
    case .rename:
      if nodes[other] != nil { return false }
      nodes[other] = nodes[key]
      nodes[key] = nil
      follows.rename(key, other)
      members.rename(key, other)
      twins.rename(key, other)
      parts.rename(key, other)
    case .reachOut, .failLate: return false
    }
    return true
  }

  private mutating func add(_ key: NodeKey) {
    if nodes[key] == nil { nodes[key] = (0, false) }
  }

  private mutating func destroy(_ key: NodeKey) {
    if nodes.removeValue(forKey: key) == nil { return }
    let children = parts.sources[key] ?? []
    for child in children { destroy(child) }
    func removeLinks(_ links: inout Links) {
      links.unlinkTargets(key)
      links.unlinkSources(key)
    }
    removeLinks(&follows)
    removeLinks(&members)
    removeLinks(&twins)
    removeLinks(&parts)
  }

  /// The same sentences as those of a context.
  var sentences: [String] {
    nodes.sorted { $0.key < $1.key }.map { key, node in
      "\(key): \(node.note)\(node.isMarked ? "!" : "")" + follows.sentence(key)
        + members.sentence(key) + twins.sentence(key) + parts.sentence(key)
    }
  }
}
