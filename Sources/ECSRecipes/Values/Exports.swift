// Programs that import ECSRecipes see the values that recipes read and write.
@_exported public import JSONValues
