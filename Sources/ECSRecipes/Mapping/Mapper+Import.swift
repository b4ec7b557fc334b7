import ECS

extension Mapper {
  /// Imports a list of records.
  ///
  /// Each record is made as by ``make(_:from:only:)``, in order; a later record of the same identity
  /// updates the entity. With ``ImportPolicy/allOrNothing``, records of one identity are one change,
  /// and only the first of them is counted as more than unchanged. Observers hear of the whole list when it is complete.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - recipe: The mapping.
  ///   - policy: What happens to bad records.
  ///   - fields: The fields that count, besides the identity. By default, all count.
  /// - Returns: What was done.
  /// - Throws: ``ImportError`` with all failures, if the policy is ``ImportPolicy/allOrNothing``
  ///   and there are any; nothing has changed then.
  @discardableResult
  public func importList(
    _ records: [JSONValue], with recipe: Recipe, policy: ImportPolicy = .skipAndReport,
    only fields: [AnyKeyPath]? = nil
  ) throws(ImportError) -> ImportReport {
    let selection: FieldSelection?
    do throws(RecipeError) {
      selection = try recipe.selection(fields)
    } catch {
      throw ImportError(failures: [.init(position: 0, line: nil, error: error)])
    }
    let decoded = records.map { data in
      Result { () throws(RecipeError) in
        try DecodedRecord(recipe, data, at: .root, only: selection)
      }
    }
    switch policy {
    case .skipAndReport:
      var report = ImportReport()
      context.perform {
        var plan = ChangePlan(self)
        for (position, record) in decoded.enumerated() {
          note(carryOut(record, in: &plan), at: position, in: &report)
        }
      }
      return report
    case .allOrNothing: return try importAll(decoded)
    }
  }

  private func note(
    _ result: Result<RecipeOutcome, RecipeError>, at position: Int, in report: inout ImportReport
  ) {
    switch result {
    case .success(let outcome): report.note(outcome)
    case .failure(let error):
      report.note(.init(position: position, line: nil, error: error))
    }
  }

  // In the critical section only.
  func carryOut(
    _ record: Result<DecodedRecord, RecipeError>, in plan: inout ChangePlan
  ) -> Result<RecipeOutcome, RecipeError> {
    Result { () throws(RecipeError) in
      let record = try record.get()
      plan.removeAll()
      let target = try plan.add(making: record)
      try plan.check()
      let hasChanged = plan.apply()
      return plan.targets[target].isNew ? .made : hasChanged ? .updated : .unchanged
    }
  }

  private func importAll(
    _ records: [Result<DecodedRecord, RecipeError>]
  ) throws(ImportError) -> ImportReport {
    try context.perform { () throws(ImportError) in
      var plan = ChangePlan(self)
      var failures: [ImportReport.Failure] = []
      var targets: [ChangePlan.TargetNumber] = []
      for (position, record) in records.enumerated() {
        plan.position = position
        do throws(RecipeError) {
          targets.append(try plan.add(making: try record.get()))
        } catch {
          failures.append(.init(position: position, line: nil, error: error))
        }
      }
      // What is missing is told only if the rest is right: a record may be completed by another.
      if failures.isEmpty { failures = plan.failures() }
      guard failures.isEmpty else { throw ImportError(failures: failures) }
      _ = plan.apply()
      var report = ImportReport()
      for target in targets { report.note(plan.takeOutcome(of: target)) }
      return report
    }
  }
}
