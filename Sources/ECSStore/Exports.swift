#if SQLite
  // Programs that import ECSStore describe tables by recipes.
  @_exported public import ECSRecipes
#endif
