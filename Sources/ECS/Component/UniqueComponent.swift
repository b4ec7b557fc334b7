/// A component that at most one entity of a context holds at any time.
///
/// Use it for services, configuration and other state of which there is only one. Set and read it
/// through the context:
///
/// ```swift
/// struct Network: UniqueComponent { let service: any NetworkService }
///
/// context.setUniqueComponent(Network(service: LiveService()))
/// context.uniqueComponent(Network.self)?.service.load()
/// ```
///
/// Setting it on another entity moves it there in one step: the old holder loses it first
/// (observers see `removed`, then `added`), and is destroyed only if it is then empty and
/// ``Context/setUniqueComponent(_:)`` created it. If a ``DeleteRule`` destroys the new holder with
/// it, no entity holds the component, and the write counts as one to a dead entity.
public protocol UniqueComponent: Component {}
