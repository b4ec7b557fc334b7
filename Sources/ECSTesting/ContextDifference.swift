public import ECS

/// The differences between the contents of two contexts.
///
/// ```swift
/// let difference = loaded.difference(from: saved) { $0.get(UserID.self)?.value }
/// #expect(difference.isEmpty, "\(difference)")
/// ```
///
/// Entities correspond that have the same key or, without one, the same place in the order of
/// creation. The difference covers components, compared by `==` if they have it and otherwise by
/// what `dump` shows; links to targets, with their values; and unique components, wherever they
/// are, with their holder if it has other components, too. Entities that only hold unique
/// components are not compared.
///
/// Handles of two contexts are never equal: those in components and values of links that are
/// `EntityReferencing` are the same if their entities correspond, and other components that
/// hold handles always differ. Relations are compared by the entities that they lead to.
public struct ContextDifference: Sendable {
  /// The differences in words, those within an entity indented below its line.
  ///
  /// Those of the other context have a minus, those of this one a plus.
  public private(set) var lines: [String] = []

  /// Whether the contents are the same.
  public var isEmpty: Bool { lines.isEmpty }

  /// The entities that correspond to those of the other context.
  private var counterparts: [Entity: Entity] = [:]

  init(_ picture: ContextPicture, from other: ContextPicture) {
    noteRepeated(other, "-")
    noteRepeated(picture, "+")
    let before = Dictionary(other.members.map { ($0.label, $0) }) { first, _ in first }
    let after = Dictionary(picture.members.map { ($0.label, $0) }) { first, _ in first }
    for (label, member) in before { counterparts[member.entity] = after[label]?.entity }
    for member in other.members where after[member.label] == nil { note(member, "-") }
    for member in picture.members {
      if let earlier = before[member.label] {
        note(member, from: earlier)
      } else {
        note(member, "+")
      }
    }
    noteUniques(picture, from: other)
  }

  private mutating func noteRepeated(_ picture: ContextPicture, _ mark: String) {
    for label in picture.repeated {
      lines.append("\(mark) \(label): several entities have this key")
    }
  }

  private mutating func note(_ member: ContextPicture.Member, _ mark: String) {
    let names = member.components.keys.sorted() + member.links.keys.sorted()
    lines.append("\(mark) \(member.label) (\(names.map(\.short).joined(separator: ", ")))")
  }

  private mutating func note(
    _ member: ContextPicture.Member, from earlier: ContextPicture.Member
  ) {
    var details: [String] = []
    for name in Set(member.components.keys).union(earlier.components.keys).sorted() {
      switch (earlier.components[name], member.components[name]) {
      case (let old?, let new?) where !areSame(old, new):
        let (oldText, newText) = ComponentText.texts(old, new)
        details += ["  - \(oldText)", "  + \(newText)"]
      case (let old?, nil): details.append("  - \(ComponentText.text(old))")
      case (nil, let new?): details.append("  + \(ComponentText.text(new))")
      default: break
      }
    }
    for name in Set(member.links.keys).union(earlier.links.keys).sorted() {
      let (old, new) = (earlier.links[name] ?? [], member.links[name] ?? [])
      let isSame = old.elementsEqual(new) { $0.target == $1.target && areSame($0.value, $1.value) }
      if isSame { continue }
      if !old.isEmpty { details.append("  - \(name.short) to \(text(old))") }
      if !new.isEmpty { details.append("  + \(name.short) to \(text(new))") }
    }
    if !details.isEmpty { lines += ["  \(member.label):"] + details }
  }

  /// Whether a value of the other context and one of this one are the same, where handles in them
  /// mean entities that correspond.
  private func areSame(_ old: (any Component)?, _ new: (any Component)?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    guard var mapped = old as? any EntityReferencing else { return ComponentText.areSame(old, new) }
    mapped.mapEntities { counterparts[$0] ?? $0 }
    return ComponentText.areSame(mapped, new)
  }

  private func text(_ links: [ContextPicture.Link]) -> String {
    links.map { link in
      link.target + (link.value.map { " \(ComponentText.text($0))" } ?? "")
    }.joined(separator: ", ")
  }

  private mutating func noteUniques(_ picture: ContextPicture, from other: ContextPicture) {
    for name in Set(picture.uniques.keys).union(other.uniques.keys).sorted() {
      let (old, new) = (other.uniques[name], picture.uniques[name])
      if let old, let new, old.holder == new.holder, areSame(old.value, new.value) {
        continue
      }
      if let old { lines.append("- \(text(old, beside: new))") }
      if let new { lines.append("+ \(text(new, beside: old))") }
    }
  }

  private func text(
    _ unique: (value: any Component, holder: String?),
    beside other: (value: any Component, holder: String?)?
  ) -> String {
    let text = other.map { ComponentText.texts(unique.value, $0.value).0 }
    let holder = unique.holder.map { " of \($0)" } ?? ""
    return "unique \(text ?? ComponentText.text(unique.value))\(holder)"
  }
}

extension ContextDifference: CustomStringConvertible {
  /// The lines, or that there is no difference.
  public var description: String {
    isEmpty ? "No difference" : lines.joined(separator: "\n")
  }
}

extension Context {
  /// How the contents of this context differ from those of another one, entity by entity in the
  /// order of creation.
  public func difference(from other: Context) -> ContextDifference {
    difference(from: other) { _ in String?.none }
  }

  /// How the contents of this context differ from those of another one, where entities with the
  /// same key correspond.
  ///
  /// - Parameters:
  ///   - other: The context to compare with. One is read after the other.
  ///   - key: What identifies an entity; nil if nothing does: such entities correspond in
  ///     the order of their creation. Runs in the critical section of the entity's context. Keys
  ///     are compared by their descriptions, which are also shown.
  /// - Returns: What differs.
  /// - Complexity: O(*n* log *n*), where *n* is the number of entities, components and links.
  public func difference<Key>(
    from other: Context, by key: (Entity) -> Key?
  ) -> ContextDifference {
    let label: (Entity) -> String? = { entity in key(entity).map { "\($0)" } }
    let before = ContextPicture(other, label: label)
    return ContextDifference(ContextPicture(self, label: label), from: before)
  }
}
