// Whoever imports ECSRecipes sees the values that recipes read and write.
@_exported public import JSONValues
