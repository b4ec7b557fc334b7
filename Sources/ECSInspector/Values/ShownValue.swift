#if Inspector
  import ECS
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
        if let entity = entity(in: field.value), ContextInspection(context).owns(entity),
          entity.isAlive
        {
          shown["entity"] = .string(entity.label)
        }
        fields.append(.object(shown))
      }
      if !fields.isEmpty { object["fields"] = .array(fields) }
      return .object(object)
    }

    /// The same with the value as it is edited, if it can be.
    static func shown(
      _ value: any Component, in context: Context, _ editable: EditableValue?
    ) -> JSONValue {
      var shown = shown(value, in: context).object ?? [:]
      if let editable { shown["json"] = editable.json }
      return .object(shown)
    }

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
