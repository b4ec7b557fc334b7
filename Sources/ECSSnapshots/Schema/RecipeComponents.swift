public import ECS

/// A stand-in for all components of a recipe in the type of ``Stored``; no entity has it.
public enum RecipeComponents: Component {}
