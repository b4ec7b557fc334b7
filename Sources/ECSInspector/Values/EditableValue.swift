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
      guard let json = try? schema?.json(of: value, { inspection.owns($0) ? $0.label : nil })
      else { return nil }
      let text = json.data()
      guard text.count <= EditableValue.largest else { return nil }
      self.json = json
      version = EditableValue.hash(of: text)
    }

    private static func hash(of text: Data) -> String {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return String(hash, radix: 16)
    }
  }
#endif
