import ECS

/// A component of a schema that is not checked yet.
protocol ComponentPart: Sendable {
  var cid: CID { get }

  func codec(in schema: String) throws(SchemaError) -> any ComponentCodec
}
