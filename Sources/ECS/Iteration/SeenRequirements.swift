/// The values of components that come along with others when a running iteration ends: they are
/// seen at once, so they are made at once.
struct SeenRequirements {
  let core: Core
  private var values: [CID: any Component] = [:]

  /// Makes the values that an entity with an entry in the command buffer gets along with components
  /// that it is to have, and notes them there; if it is not new, along with those that it lacks.
  init(_ core: Core, by cids: [CID], for handle: Handle, isNew: Bool = false) {
    self.core = core
    guard !core.pointer.pointee.tables.ignoresRequirements,
      cids.contains(where: { $0.requirements != nil })
    else { return }
    // To replace a component brings nothing.
    let added = isNew ? cids : cids.filter { !core.commands.has($0.key, handle) }
    let missing = ComponentRequirements.missing(from: added).filter {
      !core.commands.has($0.cid.key, handle)
    }
    core.refusingChanges(.usingColumns) {
      for required in missing { self.values[required.cid] = required.part.make() }
    }
    for required in missing {
      if let value = values[required.cid] { core.commands.note(value, required.cid, for: handle) }
    }
  }

  var isEmpty: Bool { values.isEmpty }

  /// Makes the change with which the values come.
  func use(_ change: () -> Void) {
    if values.isEmpty { return change() }
    core.pointer.pointee.iterations.seenRequired = values
    change()
    core.pointer.pointee.iterations.seenRequired = [:]
  }
}
