import JSONValues

/// The form of a value in data if it is written as it was read.
enum PlainForm: Sendable {
  case text
  case bool
  case integer(any (FixedWidthInteger & Sendable).Type)
  case real

  // Nil for fields of which that is not known: of other types, with transformers of their own, and
  // computed or observed ones, which may make something else of a value.
  init?<Root>(_ field: Field<Root>) {
    let keyPath: PartialKeyPath<Root> = field.keyPath
    guard !field.isOneWay, MemoryLayout<Root>.offset(of: keyPath) != nil else { return nil }
    let (type, name) = (field.transformer.valueType, field.transformer.name)
    if type == String.self, name == String.transformer.name {
      self = .text
    } else if type == Bool.self, name == Bool.transformer.name {
      self = .bool
    } else if type == Double.self, name == Double.transformer.name {
      self = .real
    } else if let type = type as? any (FixedWidthInteger & Sendable).Type, name == "\(type)" {
      self = .integer(type)
    } else {
      return nil
    }
  }

  /// Whether a value that can be read is certainly written in the same way.
  func isWritten(as value: JSONValue) -> Bool {
    switch (self, value) {
    case (.text, .string), (.bool, .bool), (.integer, .number): true
    case (.real, .number(let number)): number.isKeptByDouble
    default: false
    }
  }

  /// Whether a value can be read, and is certainly written in the same way.
  func takes(_ value: JSONValue) -> Bool {
    if case (.integer(let type), .number(let number)) = (self, value) { return number.fits(type) }
    return isWritten(as: value)
  }
}

extension JSONNumber {
  fileprivate func fits<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Bool {
    integer(type) != nil
  }
}

/// The keys of records whose values are all plain, and what stands there.
struct PlainFields: Sendable {
  private struct Field: Sendable {
    let key: String
    let form: PlainForm
    let isOptional: Bool

    /// Whether it is the last one of its component.
    var isLast = false

    /// Whether a value is certainly written as it was read; notes whether it is more than null.
    func takes(_ value: JSONValue, _ hasValue: inout Bool) -> Bool {
      if case .null = value { return isOptional }
      hasValue = true
      return form.isWritten(as: value)
    }
  }

  /// Those of each component, one after the other.
  private let fields: [Field]

  /// Nil if records have anything else.
  init?(_ mappings: [any ComponentMapping]) {
    var fields: [Field] = []
    for mapping in mappings {
      guard mapping.presence == nil, let keys = mapping.keys, !keys.isEmpty else { return nil }
      let (forms, leaves) = (mapping.plainForms, mapping.leaves)
      guard forms.count == keys.count, leaves.count == keys.count else { return nil }
      for index in keys.indices {
        guard let form = forms[index] else { return nil }
        let isOptional = leaves[index].isOptional
        fields.append(Field(key: keys[index], form: form, isOptional: isOptional))
      }
      fields[fields.count - 1].isLast = true
    }
    self.fields = fields
  }

  /// Whether a record has all fields, as they are written, and nothing else.
  func isWritten(as record: JSONObject) -> Bool {
    let entries = record.entries
    guard entries.list.count == fields.count else { return false }
    // PERFORMANCE: Nearly all is looked at where it is (H1).
    let (fields, list) = (fields.span, entries.list.span)
    var hasValue = false
    for index in fields.indices {
      if list[index].key == fields[index].key {
        guard fields[index].takes(list[index].value, &hasValue) else { return false }
      } else {
        guard let value = entries.value(of: fields[index].key),
          fields[index].takes(value, &hasValue)
        else { return false }
      }
      guard fields[index].isLast else { continue }
      // Null alone makes no component.
      if !hasValue { return false }
      hasValue = false
    }
    return true
  }
}
