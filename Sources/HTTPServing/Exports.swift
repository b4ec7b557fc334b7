#if ExampleServer || Inspector
  @_exported public import FlyingFox
  @_exported public import FlyingSocks
#endif
