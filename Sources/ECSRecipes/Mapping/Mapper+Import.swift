public import ECS
public import JSONValues

extension Mapper {
  /// Imports a list of records.
  ///
  /// Each record is applied like ``make(_:from:only:)``, in order; a later record with the same
  /// identity updates the entity.
  ///
  /// With ``ImportPolicy/skipAndReport``, all is converted first, and then applied in one critical
  /// section, so that observers are notified once. Only if other threads wait for the context does
  /// the section end after about two milliseconds, and another one go on: they wait no longer than
  /// for that, a few records and the observers, which are notified of each part. What was applied
  /// stays. To apply all at once in any case, call it inside `perform`, or use
  /// ``ImportPolicy/allOrNothing``: there, records with the same identity are one change, and all
  /// but the first of them are counted as unchanged.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - recipe: The mapping.
  ///   - policy: What happens to bad records.
  ///   - fields: The fields to apply, in addition to the identity. By default, everything is
  ///     applied.
  ///   - group: The group whose entities are reported if they are not in the data; see
  ///     ``ImportReport/absent``.
  ///   - maximumFailures: The number of failures that the report lists; more are only counted.
  /// - Returns: What was done.
  /// - Throws: ``ImportError`` with all failures, if the policy is ``ImportPolicy/allOrNothing``
  ///   and there are any; nothing is changed then.
  /// - Complexity: O(*n*), where *n* is the size of the data, plus that of the group if one is
  ///   given.
  @discardableResult
  public func importList(
    _ records: [JSONValue], with recipe: Recipe, policy: ImportPolicy = .skipAndReport,
    only fields: [AnyKeyPath]? = nil, absentFrom group: Group? = nil, maximumFailures: Int = 1000
  ) throws(ImportError) -> ImportReport {
    let selection: FieldSelection?
    do throws(RecipeError) {
      selection = try recipe.selection(fields)
    } catch {
      throw ImportError(failures: [.init(position: 0, error: error)])
    }
    let search = group.map(AbsenceSearch.init(in:))
    if policy == .allOrNothing { return try importAll(records, recipe, selection, search) }
    var run = ImportRun(self, recipe, limit: maximumFailures, listsEntities: true, search)
    var trees = RecordTreeReader()
    // Converted outside the critical section, since code of others may be called.
    let items = records.map {
      ImportItem(recipe, $0, only: selection, keepsData: search != nil, &trees)
    }
    run.apply(items, in: items.indices)
    return run.finished()
  }

  /// Imports the records of a list that is somewhere in the data.
  ///
  /// ```swift
  /// let report = try mapper.importList(at: "data.items", in: response, with: users)
  /// ```
  ///
  /// Like ``importList(_:with:policy:only:absentFrom:maximumFailures:)``.
  ///
  /// - Parameters:
  ///   - path: Where the list is. If the data itself is the list, pass its elements to
  ///     ``importList(_:with:policy:only:absentFrom:maximumFailures:)``.
  ///   - data: The data.
  ///   - recipe: The mapping.
  ///   - policy: What happens to bad records.
  ///   - fields: The fields to apply, in addition to the identity. By default, everything is
  ///     applied.
  ///   - group: The group whose entities are reported if they are not in the data.
  ///   - maximumFailures: The number of failures that the report lists; more are only counted.
  /// - Returns: What was done.
  /// - Throws: ``ImportError``, including when there is no list at the path.
  @discardableResult
  public func importList(
    at path: String, in data: JSONValue, with recipe: Recipe,
    policy: ImportPolicy = .skipAndReport, only fields: [AnyKeyPath]? = nil,
    absentFrom group: Group? = nil, maximumFailures: Int = 1000
  ) throws(ImportError) -> ImportReport {
    let records: [JSONValue]
    do throws(RecipeError) {
      records = try data.list(at: path, for: recipe)
    } catch {
      throw ImportError(failures: [.init(position: 0, error: error)])
    }
    return try importList(
      records, with: recipe, policy: policy, only: fields, absentFrom: group,
      maximumFailures: maximumFailures)
  }

  // In the critical section only.
  func apply(
    _ record: DecodedRecord, in plan: inout ChangePlan
  ) throws(RecipeError) -> (entity: Entity, outcome: RecipeOutcome) {
    plan.removeAll()
    let target = try plan.add(making: record)
    try plan.check()
    let hasChanged = plan.apply()
    let outcome: RecipeOutcome =
      plan.targets[target].isNew ? .made : hasChanged ? .updated : .unchanged
    return (try plan.entity(of: target), outcome)
  }

  private func importAll(
    _ records: [JSONValue], _ recipe: Recipe, _ selection: FieldSelection?, _ search: AbsenceSearch?
  ) throws(ImportError) -> ImportReport {
    var trees = RecordTreeReader()
    let items = records.map {
      ImportItem(recipe, $0, only: selection, keepsData: false, &trees)
    }
    return try context.perform("recipe \(recipe.name)") { () throws(ImportError) in
      var plan = ChangePlan(self)
      plan.isOfOneRecord = false
      var failures: [ImportReport.Failure] = []
      var targets: [ChangePlan.TargetNumber] = []
      var applier = recipe.definition.layout.flatMap { RecordApplier(self, $0) }
      for (position, item) in items.enumerated() {
        // There may be no index before the first record, which makes it.
        if position < 2, var ready = applier, ready.canFind {
          applier = nil
          if let report = ready.importAll(items, search) { return report }
        }
        plan.position = position
        do throws(RecipeError) {
          targets.append(try plan.add(making: try item.record(of: recipe)))
        } catch {
          failures.append(.init(position: position, error: error))
        }
      }
      // What is missing is reported only if the rest is right: a record may be completed by
      // another.
      if failures.isEmpty { failures = plan.failures() }
      guard failures.isEmpty else { throw ImportError(failures: failures) }
      _ = plan.apply()
      var report = ImportReport()
      for target in targets {
        report.note(plan.takeOutcome(of: target))
        report.entities.append(plan.targets[target].entity)
      }
      if var search {
        search.note(plan.mentioned)
        report.absent = search.absent
      }
      return report
    }
  }
}

extension JSONValue {
  fileprivate func list(at path: String, for recipe: Recipe) throws(RecipeError) -> [JSONValue] {
    let listPath: JSONPath
    do throws(JSONPathError) {
      listPath = try JSONPath(path)
    } catch {
      let advice =
        "the path is empty: if the data itself is the list, leave out 'at:' and pass its elements, importList(data.array ?? [], with: recipe)"
      let reason = error.reason == .empty ? advice : "\(error)"
      throw RecipeError(recipe: recipe.name, path: .root, reason: .invalid(reason))
    }
    do throws(TransformFailure) {
      guard let list = try lookUp(listPath) else { throw TransformFailure(.missing, at: listPath) }
      guard let records = list.array else {
        throw TransformFailure.mismatch(expected: "array", found: list).below(listPath)
      }
      return records
    } catch {
      throw RecipeError(recipe: recipe.name, path: error.path, reason: error.reason)
    }
  }
}
