import JSONValues

extension Recipe {
  /// The components with their fields, in the order in which they are listed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  public var components: [RecipeComponent] {
    mappings.enumerated().map { index, mapping in
      var fields = mapping.fields
      if index == identityNumber { fields[identityField].isIdentity = true }
      return RecipeComponent(mapping, fields)
    }
  }

  /// All fields, in the order in which they are listed.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public var fields: [RecipeField] { components.flatMap(\.fields) }

  /// The field that identifies the entity that data is about; nil if there is none.
  ///
  /// - Complexity: O(1).
  public var key: RecipeField? { definition.key }

  /// The relations, in the order in which they are listed.
  public var relations: [RecipeRelation] {
    nested.map { mapping in
      RecipeRelation(
        path: mapping.path, recipe: mapping.recipe(in: self), isMany: mapping.nested.isMany,
        form: mapping.nested.form, isOwned: mapping.nested.isOwned,
        isItself: mapping.nested.recipe == nil, link: mapping.nested.link,
        entityPath: mapping.values?.entityPath,
        values: mapping.values?.mapping.map { RecipeComponent($0, $0.fields) },
        defaultValue: mapping.values?.form.defaultValue)
    }
  }
}

extension RecipeComponent {
  fileprivate init(_ mapping: any ComponentMapping, _ fields: [RecipeField]) {
    self.init(
      component: mapping.cid, kind: mapping.kind, template: mapping.anyTemplate,
      presence: mapping.presence, fields: fields, rows: mapping.rows, form: mapping.form)
  }
}

extension Recipe: CustomStringConvertible {
  /// The name, and a line for each field and each relation.
  public var description: String {
    ([name.isEmpty ? "recipe" : "recipe \(name)"] + fields.map { "  \($0)" }
      + relations.map { "  \($0)" }).joined(separator: "\n")
  }
}
