import ECS

// An app's services are unique components: code that has the context can reach them, and no class
// has to be given them when it is made.

protocol WeatherService: Sendable {
  func temperature(in city: String) throws -> Int
}

struct Weather: UniqueComponent {
  let service: any WeatherService
}

struct Clock: UniqueComponent {
  let hour: @Sendable () -> Int
}

struct Log: UniqueComponent {
  let write: @Sendable (String) -> Void
}

/// Logic of the app, which depends on the context and on no particular service.
struct Greeter {
  let context: Context

  func greeting(for city: String) -> String {
    let hour = context.uniqueComponent(Clock.self)?.hour() ?? 12
    let greeting = hour < 12 ? "Good morning" : hour < 18 ? "Good afternoon" : "Good evening"
    guard let weather = context.uniqueComponent(Weather.self)?.service else {
      return "\(greeting), \(city)!"
    }
    do {
      return "\(greeting), \(city)! It is \(try weather.temperature(in: city)) degrees."
    } catch {
      context.uniqueComponent(Log.self)?.write("no weather: \(error)")
      return "\(greeting), \(city)!"
    }
  }
}

/// What the app uses.
struct Almanac: WeatherService {
  struct UnknownCity: Error {}

  func temperature(in city: String) throws -> Int {
    let temperatures = ["Berlin": 11, "Lisbon": 19, "Oslo": 4]
    guard let temperature = temperatures[city] else { throw UnknownCity() }
    return temperature
  }
}

/// What a test uses, to see what happens without a connection.
struct Offline: WeatherService {
  struct NoConnection: Error {}

  func temperature(in city: String) throws -> Int { throw NoConnection() }
}

/// Registers services, uses them, and replaces some of them for a while, as a test does.
func showServices() {
  print("Services")
  let context = Context(name: "App")
  context.setUniqueComponent(Weather(service: Almanac()))
  context.setUniqueComponent(Clock { 9 })
  context.setUniqueComponent(Log { print("  log:", $0) })

  let greeter = Greeter(context: context)
  print(" ", greeter.greeting(for: "Berlin"))
  context.withUnique(Weather(service: Offline())) {
    context.withUnique(Clock { 21 }) {
      print("  mocked:", greeter.greeting(for: "Berlin"))
    }
  }
  print(" ", greeter.greeting(for: "Lisbon"))
}
