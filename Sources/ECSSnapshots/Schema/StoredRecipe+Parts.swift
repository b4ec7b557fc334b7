import ECS
import ECSRecipes

extension StoredRecipe {
  /// Parts of a schema, with what recipes map instead of recipes.
  static func expanded(
    _ parts: [SchemaPart], in schema: String
  ) throws(SchemaError) -> [SchemaPart] {
    var expansion = Expansion(schema, parts)
    for part in parts {
      if case .component(let component) = part.content,
        let stored = component as? Stored<RecipeComponents>, case .recipe(let recipe) = stored.form
      {
        if let version = stored.migrations.keys.min() {
          throw SchemaError(.badVersion(version), schema: schema, name: stored.name)
        }
        try expansion.add(recipe)
      } else {
        expansion.parts.append(part)
      }
    }
    try expansion.finish()
    return expansion.parts
  }
}

/// Parts of a schema, of which recipes become the parts that they map.
private struct Expansion {
  private let schema: String
  var parts: [SchemaPart] = []

  /// What the schema lists by itself.
  private var listed: Set<CID> = []
  private var listedLinks: Set<ObjectIdentifier> = []

  /// What recipes say of values of links that were added, and relations of which none has said that
  /// yet, with the recipes that nest entities through them.
  private var addedValues: [ObjectIdentifier: [RecipeField]] = [:]
  private var withoutValues: [(relation: any Relation.Type, recipe: String)] = []

  /// What recipes say of components that were added, where these are, and whether more is said of
  /// them.
  private var added: [CID: (fields: [RecipeField], index: Int, isDetailed: Bool)] = [:]

  init(_ schema: String, _ parts: [SchemaPart]) {
    self.schema = schema
    for part in parts {
      switch part.content {
      case .component(let component): listed.insert(component.cid)
      case .excluded(let cid): listed.insert(cid)
      case .links(let links): listedLinks.insert(links.typeID)
      }
    }
  }

  private func fail(_ reason: SchemaError.Reason, _ name: String) -> SchemaError {
    SchemaError(reason, schema: schema, name: name)
  }

  mutating func add(_ stored: StoredRecipe) throws(SchemaError) {
    var (all, next) = ([stored.recipe], 0)
    while next < all.count {
      for relation in all[next].relations where !all.contains(relation.recipe) {
        all.append(relation.recipe)
      }
      next += 1
    }
    let mapped = Set(
      all.flatMap { recipe in
        recipe.components.map(\.component) + recipe.relations.compactMap(\.link.linkedCID)
      })
    for cid in stored.details.keys where !mapped.contains(cid) {
      throw fail(.unmapped(cid.name), stored.recipe.name)
    }
    for recipe in all { try add(recipe, stored.details) }
  }

  private mutating func add(
    _ recipe: Recipe, _ details: [CID: any Sendable]
  ) throws(SchemaError) {
    var links: [CID: [RecipeRelation]] = [:]
    for relation in recipe.relations {
      switch relation.link.kind {
      case .targets(let type), .sources(let type): try add(type, relation, recipe.name)
      case .field(_, let cid): links[cid, default: []].append(relation)
      case .custom: throw fail(.customLink(relation.link.name), recipe.name)
      }
    }
    for component in recipe.components {
      let type: any Component.Type = component.component.type
      let links = links.removeValue(forKey: component.component) ?? []
      try add(type, component, links, details)
    }
    for relations in links.values.sorted(by: { "\($0[0].path)" < "\($1[0].path)" }) {
      guard let template = relations[0].link.linkedField?.template else { continue }
      try add(linkedBy: template, relations, details)
    }
  }

  private mutating func add<R: Relation>(
    _ relation: R.Type, _ mapped: RecipeRelation, _ recipe: String
  ) throws(SchemaError) {
    let id = ObjectIdentifier(relation)
    guard let type = relation.valueIdentifier?.type else {
      guard listedLinks.insert(id).inserted else { return }
      parts.append(
        SchemaPart(content: .links(Links(ofRecipe: relation, values: nil, default: nil))))
      return
    }
    guard let values = mapped.values else {
      // Another recipe may say how values are kept, which data of this one does not have.
      if !listedLinks.contains(id) { withoutValues.append((relation, recipe)) }
      return
    }
    if let added = addedValues[id], added != values.fields {
      throw fail(.mappedTwice("\(relation)"), "\(relation)")
    }
    guard listedLinks.insert(id).inserted else { return }
    addedValues[id] = values.fields
    parts.append(
      SchemaPart(
        content: .links(
          Links(
            ofRecipe: relation, values: try part(type, values, named: "\(relation) value"),
            default: mapped.defaultValue))))
  }

  /// What keeps the values of links.
  private func part<C: Component>(
    _ type: C.Type, _ values: RecipeComponent, named name: String
  ) throws(SchemaError) -> any ComponentPart {
    guard let form = values.form as? ComponentForm<C> else {
      stop("The form of \(type) is that of another component.")
    }
    if case .whole = form, let field = values.fields.first(where: \.isOneWay) {
      throw fail(.oneWay(field.name), C.cid.name)
    }
    return Stored(name, form.kept(with: []))
  }

  /// Throws if nothing has said how values of links are kept.
  func finish() throws(SchemaError) {
    for (relation, recipe) in withoutValues
    where !listedLinks.contains(ObjectIdentifier(relation)) {
      throw fail(.valuesUnmapped("\(relation)"), recipe)
    }
  }

  private mutating func add<C: Component>(
    _ type: C.Type, _ component: RecipeComponent, _ links: [RecipeRelation],
    _ details: [CID: any Sendable]
  ) throws(SchemaError) {
    if listed.contains(C.cid) { return }
    guard let form = component.form as? ComponentForm<C> else {
      stop("The form of \(type) is that of another component.")
    }
    if case .whole = form {
      if let field = component.fields.first(where: \.isOneWay) {
        throw fail(.oneWay(field.name), C.cid.name)
      }
      if let relation = links.first { throw fail(.linkOfWhole(relation.link.name), C.cid.name) }
    }
    try add(form.kept(with: fields(C.self, links)), component.fields, details)
  }

  /// A component that only links lead through.
  private mutating func add<C: Component>(
    linkedBy template: C, _ links: [RecipeRelation], _ details: [CID: any Sendable]
  ) throws(SchemaError) {
    if listed.contains(C.cid) { return }
    try add(.fields(template, fields(C.self, links)), [], details)
  }

  private func fields<C: Component>(_ type: C.Type, _ links: [RecipeRelation]) -> [Field<C>] {
    links.compactMap { relation in
      let access = relation.link.linkedField?.access
      if let one = access as? FieldAccess<C, Entity?> {
        return Field(one.keyPath, at: relation.path.description)
      }
      if let many = access as? FieldAccess<C, [Entity]> {
        return Field(many.keyPath, at: relation.path.description)
      }
      return nil
    }
  }

  private mutating func add<C: Component>(
    _ form: Stored<C>.Form, _ fields: [RecipeField], _ details: [CID: any Sendable]
  ) throws(SchemaError) {
    let details = details[C.cid] as? StoredRecipe.Details<C>
    let part = SchemaPart(content: .component(details?.part(form) ?? Stored(C.cid.name, form)))
    guard let other = added[C.cid] else {
      added[C.cid] = (fields, parts.count, details != nil)
      parts.append(part)
      return
    }
    guard other.fields == fields, !(other.isDetailed && details != nil) else {
      throw fail(.mappedTwice(C.cid.name), C.cid.name)
    }
    if details != nil {
      parts[other.index] = part
      added[C.cid]?.isDetailed = true
    }
  }
}

extension RecipeLink {
  fileprivate var linkedCID: CID? {
    if case .field(_, let cid) = kind { cid } else { nil }
  }
}

extension ComponentForm {
  /// How snapshots keep it, with fields that links lead through.
  fileprivate func kept(with links: [Field<C>]) -> Stored<C>.Form {
    switch self {
    case .fields(let template, let fields): .fields(template, fields + links)
    case .whole(let write, let read):
      .coding(
        ValueCoding {
          .object(try write($0))
        } decode: { data in
          guard case .object(let object) = data else {
            throw TransformFailure.mismatch(expected: "object", found: data)
          }
          return try read(object)
        })
    }
  }
}
