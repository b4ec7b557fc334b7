/// A component of a schema that is not checked yet.
protocol ComponentPart: Sendable {
  func codec(in schema: String) throws(SchemaError) -> any ComponentCodec
}
