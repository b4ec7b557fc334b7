#if Inspector
  import ECS
  import ECSSnapshots
  import Foundation
  import JSONValues

  /// A value as the schema writes it, which can be edited.
  struct EditableValue {
    let json: JSONValue

    /// A hash of its text, by which an edit says which value it was made of: FNV-1a of 64 bits.
    let version: String

    /// How many bytes of text a value has that can be edited.
    private static var largest: Int { 1 << 18 }

    /// Nil if the value is not in the schema, or large, or refers to entities of other contexts,
    /// which have the same labels as its own.
    ///
    /// The program's own code may run, so it is not for sections.
    init?(_ value: any Component, in context: Context, _ schema: Schema?) {
      let inspection = ContextInspection(context)
      // Asked first, since all of the value is written otherwise before it is known to be large.
      guard let schema, EditableValue.size(of: value, 3) <= EditableValue.largest,
        let json = try? schema.json(
          of: value, limit: EditableValue.largest,
          { inspection.owns($0) ? $0.label : nil })
      else { return nil }
      let text = json.data()
      self.json = json
      version = EditableValue.hash(of: text)
    }

    /// Bytes that the text of a value has at least, if all of its properties are kept: those of
    /// texts and lists, down to some depth.
    private static func size(of value: Any, _ depth: Int) -> Int {
      if let text = value as? String { return text.utf8.count }
      if let data = value as? Data { return data.count }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      // Each element, and what is between two.
      case .collection, .set, .dictionary: return 2 * mirror.children.count
      default:
        guard depth > 0 else { return 0 }
        return mirror.children.prefix(100).reduce(0) { $0 + size(of: $1.value, depth - 1) }
      }
    }

    private static func hash(of text: Data) -> String {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return String(hash, radix: 16)
    }
  }
#endif
