package import Testing

extension Trait where Self == ConditionTrait {
  /// What threads do to each other, and how time and memory grow, shows in optimized builds and under sanitizers, where
  /// `Scripts/check` runs the suite: another build for debugging takes ten times as long for it, and leaves it out but
  /// with `ECS_LONG_TESTS`.
  package static var optimizedOrSanitized: ConditionTrait {
    .enabled(
      if: Effort.isOptimizedOrSanitized || Effort.isUnlimited,
      "It shows in optimized builds and under sanitizers.")
  }
}
