package import Testing

extension Trait where Self == ConditionTrait {
  /// The suite runs in optimized builds and under sanitizers, as `Scripts/check` makes them, and in others only with
  /// `ECS_LONG_TESTS`: what threads do to each other, and how time and memory grow, takes long there and shows little.
  package static var optimizedOrSanitized: ConditionTrait {
    .enabled(
      if: Effort.isOptimizedOrSanitized || Effort.isUnlimited,
      "It shows in optimized builds and under sanitizers.")
  }
}
