/// A component that at most one entity of a context holds at any time.
///
/// Use it for services, configuration and other state of which there is one. Set and read it
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
/// ``Context/setUniqueComponent(_:)`` had created it. If the new holder goes with it, by a
/// ``DeleteRule``, then nobody holds the component; the write counts as one to a dead entity.
public protocol UniqueComponent: Component {}
