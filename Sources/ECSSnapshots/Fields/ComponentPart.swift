import ECS

/// A component of a schema that is not checked yet.
protocol ComponentPart: Sendable {
  var cid: CID { get }

  /// The recipe whose components are meant; nil if it is one component.
  var recipe: StoredRecipe? { get }

  func codec(in schema: String) throws(SchemaError) -> any ComponentCodec
}
