#if SQLite
  // Whoever imports ECSStore describes tables by recipes.
  @_exported public import ECSRecipes
#endif
