import JSONValues

extension Recipe {
  /// The same recipe under another name.
  public func named(_ name: String) -> Recipe {
    guard let definition = try? RecipeDefinition(name, unknownKeys, definition.parts) else {
      return self
    }
    return Recipe(definition)
  }

  /// The recipe with more parts.
  ///
  /// ```swift
  /// let detailed = try users.adding {
  ///   Fields(of: User()) { Field(\.email, at: "email") }  // added to the existing fields
  ///   Flag(Admin(), at: "admin")
  /// }
  /// ```
  ///
  /// Fields of a component that is already mapped come after the existing ones; its template stays.
  ///
  /// - Throws: ``RecipeDefinitionError``, as building the new recipe directly would.
  public func adding(
    @RecipeBuilder _ parts: () -> [RecipePart]
  ) throws(RecipeDefinitionError) -> Recipe {
    var all = definition.parts
    for part in parts() {
      let index = all.firstIndex { $0.isOfSameComponent(as: part) }
      if let index, case .component(let earlier) = all[index].content,
        case .component(let later) = part.content, let joined = earlier.joined(with: later)
      {
        all[index] = RecipePart(content: .component(joined))
      } else {
        all.append(part)
      }
    }
    return Recipe(try RecipeDefinition(name, unknownKeys, all))
  }

  /// The recipe without what is mapped at some paths: fields, relations, components that come and
  /// go.
  ///
  /// If its field is removed, the identity is removed as well.
  ///
  /// - Throws: ``RecipeDefinitionError/Reason/unknownPath`` if nothing is mapped at one of the
  ///   paths.
  public func removing(at paths: String...) throws(RecipeDefinitionError) -> Recipe {
    var removed: Set<JSONPath> = []
    for text in paths { removed.insert(try known(text)) }
    return try removing(removed)
  }

  /// The recipe without some fields, such as `[\User.email]`.
  ///
  /// - Throws: ``RecipeDefinitionError/Reason/unknownField(_:)`` if one of them is not mapped.
  public func removing(_ fields: [AnyKeyPath]) throws(RecipeDefinitionError) -> Recipe {
    var removed: Set<JSONPath> = []
    for field in fields {
      guard let match = self.fields.first(where: { $0.isAbout(field) }) else {
        throw RecipeDefinitionError(recipe: name, path: "", reason: .unknownField("\(field)"))
      }
      removed.insert(match.path)
    }
    return try removing(removed)
  }

  /// The recipe with fields and relations at other paths.
  ///
  /// ```swift
  /// let german = try users.renaming(["name": "Name", "contact.email": "Kontakt.Adresse"])
  /// ```
  ///
  /// - Parameter paths: The new paths by the old ones.
  /// - Returns: The recipe.
  /// - Throws: ``RecipeDefinitionError/Reason/unknownPath`` if nothing is mapped at one of the old
  ///   paths; other errors as building the new recipe directly would.
  public func renaming(_ paths: [String: String]) throws(RecipeDefinitionError) -> Recipe {
    var moved: [JSONPath: JSONPath] = [:]
    for (old, new) in paths { moved[try known(old)] = try PartLocation.text(new).path(in: name) }
    var parts: [RecipePart] = []
    for part in definition.parts {
      switch part.content {
      case .component(let component):
        parts.append(RecipePart(content: .component(try component.moving(moved, in: name))))
      case .identity: parts.append(part)
      case .nested(var nested):
        if let path = moved[try nested.location.path(in: name)] { nested.location = .path(path) }
        parts.append(RecipePart(content: .nested(nested)))
      }
    }
    return Recipe(try RecipeDefinition(name, unknownKeys, parts))
  }

  private func removing(_ paths: Set<JSONPath>) throws(RecipeDefinitionError) -> Recipe {
    var parts: [RecipePart] = []
    for part in definition.parts {
      switch part.content {
      case .component(let component):
        if let rest = try component.removing(paths, in: name) {
          parts.append(RecipePart(content: .component(rest)))
        }
      case .identity: if identityPath.map(paths.contains) != true { parts.append(part) }
      case .nested(let nested):
        if !paths.contains(try nested.location.path(in: name)) { parts.append(part) }
      }
    }
    return Recipe(try RecipeDefinition(name, unknownKeys, parts))
  }

  /// A path at which something stands.
  private func known(_ text: String) throws(RecipeDefinitionError) -> JSONPath {
    let path = try PartLocation.text(text).path(in: name)
    guard
      leaves.contains(where: { $0.path == path })
        || mappings.contains(where: { $0.presence == path })
    else { throw RecipeDefinitionError(recipe: name, path: text, reason: .unknownPath) }
    return path
  }
}

extension RecipePart {
  fileprivate func isOfSameComponent(as other: RecipePart) -> Bool {
    guard case .component(let left) = content, case .component(let right) = other.content else {
      return false
    }
    return left.cid == right.cid
  }
}
