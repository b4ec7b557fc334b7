// Values to be: what links that wait for the end of an iteration will have, so that closures which
// change a value go on with what others before them have made of it.
extension Relations {
  /// Notes that a link will have a value.
  func noteComing<R: Relation, Value: Component>(
    _ value: Value, of relation: R.Type, from source: Handle, to target: Handle
  ) {
    if comingValues.isEmpty {
      core.commands.add { [self] in
        for (_, value) in comingValues { core.discard(value) }
        comingValues = [:]
      }
    }
    let link = ComingLink(relation: ObjectIdentifier(relation), source: source, target: target)
    if let old = comingValues.updateValue(value, forKey: link) { core.discard(old) }
  }

  /// The value that a link will have; nil if none waits.
  func comingValue<R: Relation>(
    of relation: R.Type, from source: Handle, to target: Handle
  ) -> R.Value? where R.Value: Component {
    guard !comingValues.isEmpty else { return nil }
    let link = ComingLink(relation: ObjectIdentifier(relation), source: source, target: target)
    return comingValues[link]?.value(of: R.Value.self)
  }
}
