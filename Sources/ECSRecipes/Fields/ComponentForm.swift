public import ECS
import Foundation
public import JSONValues

/// A form of a component that a recipe maps, for what keeps it with a place for each of its fields,
/// or for its data.
///
/// ```swift
/// func describe<C: Component>(_ type: C.Type, _ component: RecipeComponent) {
///   guard case .fields(_, let fields)? = component.form as? ComponentForm<C> else { return }
///   print(fields.map(\.name))
/// }
/// ```
public enum ComponentForm<C: Component>: Sendable {
  /// A value that a component starts from, and fields that are set in it, each at its path; without
  /// fields, the value stands for all components of the type.
  case fields(of: C, [Field<C>])

  /// An object that stands for the component as a whole, by paths of fields or by their names.
  case whole(
    write: @Sendable (C) throws(TransformFailure) -> JSONObject,
    read: @Sendable (JSONObject) throws(TransformFailure) -> C)
}

extension ComponentForm {
  /// A component that one value stands for.
  init<Value: Sendable>(
    _ path: JSONPath, _ transformer: Transformer<Value>, _ get: @escaping @Sendable (C) -> Value,
    _ make: @escaping @Sendable (Value) -> C
  ) {
    let name = path.description
    self = .whole { (component) throws(TransformFailure) in
      [name: try transformer.encode(get(component))]
    } read: { (data) throws(TransformFailure) in
      guard let value = data[name] else { throw TransformFailure(.missing, at: path) }
      return make(try transformer.decode(value))
    }
  }
}

extension FieldwiseMapping {
  @usableFromInline var form: any Sendable {
    ComponentForm.fields(
      of: mapping.template, mapping.entries.map { $0.field.moved(to: $0.path) })
  }
}

extension FlagMapping {
  var form: any Sendable { ComponentForm.fields(of: template, []) }
}

extension KeyMapping {
  var form: any Sendable {
    let keyPath = key.keyPath
    return ComponentForm<C>(path, key.transformer, { $0[keyPath: keyPath] }, key.make)
  }
}

extension WholeMapping {
  var form: any Sendable { ComponentForm<C>(path, transformer, { $0 }, { $0 }) }
}

extension AutomaticMapping {
  /// The properties that are mapped, by their names.
  var form: any Sendable {
    let (template, properties, dates) = (template, properties, dates)
    return ComponentForm<C>.whole { (component) throws(TransformFailure) in
      let encoded = try JSONValue(encoding: component, dates: dates)
      var object = JSONObject()
      for property in properties { object[property.name] = property.value(in: encoded) ?? .null }
      return object
    } read: { (data) throws(TransformFailure) in
      var overlay = JSONObject()
      for property in properties {
        if let value = data[property.name] { overlay[property.name] = value }
      }
      return try AutomaticPatch(template, properties, dates, overlay: overlay)
        .decoded(over: template)
    }
  }
}
