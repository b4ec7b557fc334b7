public import ECS
import Foundation
import JSONValues

/// The columns of a table that a component is put into, and made of: one column for each of its
/// fields, in their order.
///
/// ```swift
/// func describe<C: Component>(_ type: C.Type, _ component: RecipeComponent) {
///   guard let rows = component.rows as? ComponentRows<C> else { return }
///   print(rows.kinds)
/// }
/// ```
public struct ComponentRows<C: Component>: Sendable {
  /// What each column holds.
  public let kinds: [RowValue.Kind]

  /// Which columns may be NULL though there is the component.
  public let areOptional: [Bool]

  /// How the fields are put into their columns, if each can be on its own; nil if the component is
  /// made of all columns at once.
  public let fields: [RowField<C>]?

  /// What a component starts from; nil if it is made of its columns alone.
  public let template: C?

  /// Appends the component of an entity, if it has it.
  public let append: @Sendable (Entity, inout [C]) -> Bool

  private let writing: @Sendable (C) throws(TransformFailure) -> [RowValue]
  private let reading: @Sendable ([RowValue]) throws(TransformFailure) -> C

  /// What stands for a component in its columns.
  public func write(_ component: C) throws(TransformFailure) -> [RowValue] {
    try writing(component)
  }

  /// The component that its columns stand for.
  public func read(_ values: [RowValue]) throws(TransformFailure) -> C { try reading(values) }

  init(
    kinds: [RowValue.Kind], areOptional: [Bool], template: C?,
    write: @escaping @Sendable (C) throws(TransformFailure) -> [RowValue],
    read: @escaping @Sendable ([RowValue]) throws(TransformFailure) -> C
  ) {
    (self.kinds, self.areOptional, self.template) = (kinds, areOptional, template)
    fields = nil
    append = { entity, values in
      guard let value = entity.get(C.self) else { return false }
      values.append(value)
      return true
    }
    (writing, reading) = (write, read)
  }

  init(
    _ fields: [RowField<C>], template: C, append: @escaping @Sendable (Entity, inout [C]) -> Bool
  ) {
    self.fields = fields
    self.template = template
    self.append = append
    (kinds, areOptional) = (fields.map(\.kind), fields.map(\.isOptional))
    writing = { (component) throws(TransformFailure) in
      var values: [RowValue] = []
      for field in fields { values.append(try field.write(component)) }
      return values
    }
    reading = { (values) throws(TransformFailure) in
      var component = template
      for (field, value) in zip(fields, values) { try field.read(value, into: &component) }
      return component
    }
  }
}

extension FieldwiseMapping {
  @usableFromInline var rows: any Sendable {
    ComponentRows(
      mapping.entries.map(\.field.rows), template: mapping.template, append: access.append)
  }
}

extension KeyMapping {
  /// A key alone, of which the component is made.
  func makeRows(
    _ transformer: Transformer<Key>, _ get: @escaping @Sendable (C) -> Key,
    _ make: @escaping @Sendable (Key) -> C
  ) -> ComponentRows<C> {
    let form = transformer.rows
    return ComponentRows(kinds: [form.kind], areOptional: [false], template: nil) {
      (component) throws(TransformFailure) in
      [try form.write(get(component))]
    } read: { (values) throws(TransformFailure) in
      make(try form.read(values[0]))
    }
  }
}

extension WholeMapping {
  func makeRows(_ transformer: Transformer<C>) -> ComponentRows<C> {
    let form = transformer.rows
    return ComponentRows(
      kinds: [form.kind], areOptional: [transformer.acceptsNull], template: nil
    ) { (component) throws(TransformFailure) in
      [try form.write(component)]
    } read: { (values) throws(TransformFailure) in
      try form.read(values[0])
    }
  }
}

extension FlagMapping {
  func makeRows(_ template: C) -> ComponentRows<C> {
    ComponentRows(kinds: [.integer], areOptional: [false], template: template) { _ in
      [.integer(1)]
    } read: { _ in
      template
    }
  }
}

extension AutomaticMapping {
  /// The JSON form of each property.
  func makeRows(dates: Transformer<Date>) -> ComponentRows<C> {
    let kinds = properties.map { $0.rowKind(dates) }
    let (properties, template) = (properties, template)
    return ComponentRows(
      kinds: kinds.map(\.kind), areOptional: properties.map(\.leaf.isOptional), template: template
    ) { (component) throws(TransformFailure) in
      let encoded = try JSONValue(encoding: component, dates: dates)
      var values: [RowValue] = []
      for (property, kind) in zip(properties, kinds) {
        do throws(TransformFailure) {
          let value = property.value(in: encoded) ?? .null
          values.append(try RowValue(value, as: kind.kind, isJSON: kind.isJSON))
        } catch {
          throw error.below(property.leaf.path)
        }
      }
      return values
    } read: { (values) throws(TransformFailure) in
      var overlay = JSONObject()
      for (index, property) in properties.enumerated() {
        let (value, kind) = (values[index], kinds[index])
        do throws(TransformFailure) {
          if value.isNull, !property.leaf.isOptional {
            throw .mismatch(expected: property.expected, inColumn: value)
          }
          if kind.isBool, case .integer(let integer) = value, integer == 0 || integer == 1 {
            overlay[property.name] = .bool(integer == 1)
          } else {
            overlay[property.name] = try value.json(isJSON: kind.isJSON)
          }
        } catch {
          throw error.below(property.leaf.path)
        }
      }
      return try AutomaticPatch(template, properties, dates, overlay: overlay)
        .decoded(over: template)
    }
  }
}

extension AutomaticProperty {
  /// What the column of the property holds, by what its values are in data.
  fileprivate func rowKind(
    _ dates: Transformer<Date>
  ) -> (kind: RowValue.Kind, isJSON: Bool, isBool: Bool) {
    switch expected == "date" ? dates.expected : expected {
    case "string": (.text, false, false)
    case "integer": (.integer, false, false)
    case "number": (.real, false, false)
    case "bool": (.integer, false, true)
    default: (.text, true, false)
    }
  }
}
