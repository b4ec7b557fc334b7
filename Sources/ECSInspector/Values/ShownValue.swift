#if Inspector
  import ECS
  import ECSSnapshots
  import JSONValues

  extension JSONValue {
    static func count(_ number: some BinaryInteger) -> JSONValue { .number(JSONNumber(number)) }

    static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// A duration in seconds.
    static func seconds(_ duration: Duration) -> JSONValue {
      let (seconds, attoseconds) = duration.components
      return JSONNumber(Double(seconds) + Double(attoseconds) * 1e-18).map { .number($0) } ?? .null
    }

    /// A value in words, with its fields.
    ///
    /// The program's own descriptions may run, so it is not for sections.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - context: The context whose entities are named as such.
    ///   - limit: How many characters each text has.
    /// - Returns: The value.
    static func shown(
      _ value: Any, in context: Context, limit: Int = ValueText.longest
    ) -> JSONValue {
      let text = ValueText(value, limit: limit)
      var object: JSONObject = ["text": .string(text.text)]
      if text.isCut { object["cut"] = true }
      var fields: [JSONValue] = []
      for (number, field) in Mirror(reflecting: value).children.prefix(50).enumerated() {
        let text = ValueText(field.value, limit: limit)
        var shown: JSONObject = [
          "name": .short(field.label ?? "\(number)"), "text": .string(text.text),
        ]
        if text.isCut { shown["cut"] = true }
        if let entity = entity(in: field.value), ContextInspection(context).owns(entity) {
          shown["entity"] = .string(entity.label)
        }
        fields.append(.object(shown))
      }
      if !fields.isEmpty { object["fields"] = .array(fields) }
      return .object(object)
    }

    /// The same with the value as the schema writes it, unless that is not in it, or large, or
    /// refers to entities of other contexts, which have the same labels as its own.
    static func shown(
      _ value: any Component, in context: Context, _ schema: Schema?
    ) -> JSONValue {
      var shown = shown(value, in: context).object ?? [:]
      let inspection = ContextInspection(context)
      if let json = try? schema?.json(of: value, { inspection.owns($0) ? $0.label : nil }),
        json.data().count <= JSONValue.largestEdited
      {
        shown["json"] = json
      }
      return .object(shown)
    }

    /// How many bytes a value has that can be edited.
    private static var largestEdited: Int { 1 << 18 }

    private static func entity(in value: Any) -> Entity? {
      if let entity = value as? Entity { return entity }
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return nil }
      return mirror.children.first?.value as? Entity
    }
  }

  extension Component {
    fileprivate static func value(of entity: Entity) -> (any Component)? { entity.get(Self.self) }
  }

  extension CID {
    /// The component of an entity, if it has it.
    func value(of entity: Entity) -> (any Component)? {
      type.value(of: entity)
    }
  }
#endif
