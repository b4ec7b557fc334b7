// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "swift-ecs",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ECS", targets: ["ECS"]),
    .library(name: "ECSCluster", targets: ["ECSCluster"]),
    .library(name: "ECSHistory", targets: ["ECSHistory"]),
    .library(name: "ECSInspector", targets: ["ECSInspector"]),
    .library(name: "ECSInstrumentation", targets: ["ECSInstrumentation"]),
    .library(name: "ECSLocalStorage", targets: ["ECSLocalStorage"]),
    .library(name: "ECSObservation", targets: ["ECSObservation"]),
    .library(name: "ECSRecipes", targets: ["ECSRecipes"]),
    .library(name: "ECSRemote", targets: ["ECSRemote"]),
    .library(name: "ECSSnapshots", targets: ["ECSSnapshots"]),
    .library(name: "ECSStore", targets: ["ECSStore"]),
    .library(name: "ECSTesting", targets: ["ECSTesting"]),
  ],
  traits: [
    .trait(
      name: "AsyncHTTPClient",
      description: "Gives ECSRemote encryption elsewhere than on Apple's systems."
    ),
    .trait(
      name: "ExampleServer",
      description: "Gives the example issue-desk its server, which needs FlyingFox."
    ),
    .trait(
      name: "Inspector",
      description: "Turns ECSInspector on, which shows a program in a browser and needs FlyingFox."
    ),
    .trait(
      name: "Logging",
      description: "Lets ECSInstrumentation log what loops and feeds do, with swift-log."
    ),
    .trait(
      name: "Metrics",
      description:
        "Lets ECSInstrumentation count and time what loops and feeds do, with swift-metrics."
    ),
    .trait(
      name: "RedisTLS",
      description: "Lets ECSCluster encrypt its connections to Redis, which needs swift-nio-ssl."
    ),
    .trait(
      name: "SQLite",
      description: "Turns ECSStore on, which keeps entities in a database and needs GRDB."
    ),
    .trait(
      name: "Tracing",
      description:
        "Lets ECSInstrumentation trace what loops and feeds do, with swift-distributed-tracing."
    ),
  ],
  // Nothing of this is fetched unless a trait asks for it.
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "ECS", dependencies: ["CPlatform"],
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    // What Swift has no word for: which thread is running, asked anew after every
    // `await`; what the C library keeps of freed memory.
    .target(name: "CPlatform"),
    .target(
      name: "ECSCluster",
      dependencies: [
        "ECS", "ECSSnapshots", "Sockets",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["RedisTLS"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["RedisTLS"])),
        .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["RedisTLS"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["RedisTLS"])),
      ]),
    .target(name: "ECSHistory", dependencies: ["ECS", "ECSSnapshots", "JSONValues"]),
    // Empty without the trait.
    .target(
      name: "ECSInspector",
      dependencies: [
        "CInspectorPage", "ECS", "ECSHistory", "ECSSnapshots", "HTTPServing", "JSONValues",
      ],
      exclude: ["Page/page.html"]),
    // The page, which Swift could only embed as a literal of bytes, in half a minute of building.
    .target(name: "CInspectorPage"),
    // FlyingFox, for the inspector and an example; no product has it. No other target may name it: SwiftPM then forgets
    // the condition.
    .target(
      name: "HTTPServing",
      dependencies: [
        .product(
          name: "FlyingFox", package: "FlyingFox",
          condition: .when(traits: ["ExampleServer", "Inspector"])),
        .product(
          name: "FlyingSocks", package: "FlyingFox",
          condition: .when(traits: ["ExampleServer", "Inspector"])),
      ]),
    // Each of these products has its condition only as long as no other target names it.
    .target(
      name: "ECSInstrumentation",
      dependencies: [
        "ECS",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ]),
    .target(
      name: "ECSLocalStorage", dependencies: ["DurableFiles", "ECS", "ECSRecipes", "JSONValues"]),
    .target(name: "ECSObservation", dependencies: ["ECS"]),
    // Files that are replaced as a whole; no product has it.
    .target(name: "DurableFiles"),
    // Connections that never wait; no product has it.
    .target(name: "Sockets"),
    .target(name: "JSONValues"),
    .target(name: "ECSRecipes", dependencies: ["ECS", "JSONValues"]),
    // No other target may name AsyncHTTPClient or NIO: SwiftPM then forgets the condition.
    .target(
      name: "ECSRemote",
      dependencies: [
        "ECS", "ECSRecipes", "Sockets",
        .product(
          name: "AsyncHTTPClient", package: "async-http-client",
          condition: .when(traits: ["AsyncHTTPClient"])),
        .product(
          name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
        .product(
          name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
        .product(
          name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
      ]),
    .target(
      name: "ECSSnapshots", dependencies: ["DurableFiles", "ECS", "ECSRecipes", "JSONValues"],
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    // Empty without the trait. No other target may name GRDB: SwiftPM then forgets the condition.
    .target(
      name: "ECSStore",
      dependencies: [
        "DurableFiles", "ECS", "ECSLocalStorage", "ECSRecipes",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ]),
    .target(name: "ECSTesting", dependencies: ["ECS"]),

    // What several examples need of the system: files, signals, terminals.
    .target(name: "ExampleSupport", path: "Examples/Support"),
    // Without the trait it says that it needs it.
    .executableTarget(
      name: "bookshelf",
      dependencies: ["ECS", "ECSHistory", "ECSRecipes", "ECSStore", "ExampleSupport"],
      path: "Examples/bookshelf", exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "catalog-import", dependencies: ["ECS", "ECSRecipes", "ExampleSupport"],
      path: "Examples/catalog-import", exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "flock", dependencies: ["ECS", "ExampleSupport"], path: "Examples/flock",
      exclude: ["README.md", "screen.svg"]),
    // Without the trait it says that it needs it.
    .executableTarget(
      name: "issue-desk",
      dependencies: ["ECS", "ECSRecipes", "ECSRemote", "ExampleSupport", "HTTPServing"],
      path: "Examples/issue-desk", exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "options-menu", dependencies: ["ECS", "ExampleSupport"],
      path: "Examples/options-menu", exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "order-desk",
      dependencies: [
        "ECS", "ECSCluster", "ECSRecipes", "ECSSnapshots", "ExampleSupport",
        .target(name: "ECSHistory", condition: .when(traits: ["Inspector"])),
        .target(name: "ECSInspector", condition: .when(traits: ["Inspector"])),
      ],
      path: "Examples/order-desk", exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "reading-list", dependencies: ["ECS", "ECSObservation"], path: "Examples/reading-list",
      exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "sketch",
      dependencies: ["ECS", "ECSHistory", "ECSRecipes", "ECSSnapshots", "ExampleSupport"],
      path: "Examples/sketch", exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "service-registry", dependencies: ["ECS"], path: "Examples/service-registry",
      exclude: ["README.md", "screen.svg"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "ECS", "ECSHistory", "ECSRecipes", "ECSRemote", "ECSSnapshots", "CMemoryMeter",
      ],
      path: "Benchmarks",
      exclude: ["CAllocationCounter", "CMemoryMeter", "Gates", "Store", "growth.svg", "rivals.svg"]),
    .target(name: "CMemoryMeter", path: "Benchmarks/CMemoryMeter"),
    // A program of its own: it replaces the allocator's functions by ones that count.
    .executableTarget(
      name: "gates",
      dependencies: ["ECS", "ECSHistory", "ECSRecipes", "ECSSnapshots", "CAllocationCounter"],
      path: "Benchmarks/Gates"),
    .target(name: "CAllocationCounter", path: "Benchmarks/CAllocationCounter"),

    .executableTarget(
      name: "repo-insights",
      dependencies: [
        "ECS", "ExampleSupport", "JSONValues",
        .target(name: "ECSHistory", condition: .when(traits: ["Inspector"])),
        .target(name: "ECSInspector", condition: .when(traits: ["Inspector"])),
      ],
      path: "Examples/repo-insights",
      exclude: ["README.md", "inspector.png", "live.svg", "report.svg"]),

    // Used by the tests through `package` access; no product has it.
    .target(
      name: "ECSTestSupport", dependencies: ["CParallelism", "ECS", "ECSTesting"],
      path: "Tests/Support"),
    // How many tests run at once, which a program of tests has to know before it begins.
    .target(name: "CParallelism", path: "Tests/Parallelism"),
    .testTarget(name: "ECSTests", dependencies: ["CPlatform", "ECS", "ECSTestSupport"]),
    .testTarget(
      name: "ECSModelTests",
      dependencies: ["ECS", "ECSHistory", "ECSRecipes", "ECSSnapshots", "ECSTestSupport"]),
    .testTarget(
      name: "ECSClusterTests",
      dependencies: ["ECS", "ECSCluster", "ECSRecipes", "ECSSnapshots", "ECSTestSupport"]),
    .testTarget(
      name: "ECSHistoryTests",
      dependencies: [
        "ECS", "ECSHistory", "ECSRecipes", "ECSSnapshots", "ECSTestSupport", "ECSTesting",
      ]),
    .testTarget(
      name: "ECSInspectorTests",
      dependencies: [
        "ECS", "ECSHistory", "ECSInspector", "ECSRecipes", "ECSSnapshots", "ECSTestSupport",
        "HTTPServing", "JSONValues", "Sockets",
      ]),
    .testTarget(
      name: "ECSInstrumentationTests",
      dependencies: [
        "ECS", "ECSInstrumentation", "ECSTestSupport", "ECSTesting",
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
        .product(
          name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ]),
    .testTarget(
      name: "ECSLocalStorageTests",
      dependencies: ["ECS", "ECSLocalStorage", "ECSRecipes", "ECSTestSupport"]),
    .testTarget(
      name: "ECSObservationTests", dependencies: ["ECS", "ECSObservation", "ECSTestSupport"]),
    .testTarget(
      name: "ECSRecipesTests", dependencies: ["ECS", "ECSRecipes", "ECSTestSupport"]),
    .testTarget(
      name: "ECSRemoteTests",
      dependencies: [
        "ECS", "ECSHistory", "ECSLocalStorage", "ECSRecipes", "ECSRemote", "ECSSnapshots",
        "ECSStore", "ECSTestSupport", "ECSTesting",
      ]),
    .testTarget(
      name: "ECSSnapshotsTests",
      dependencies: ["ECS", "ECSRecipes", "ECSSnapshots", "ECSTestSupport", "ECSTesting"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "ECSStoreTests",
      dependencies: [
        "ECS", "ECSHistory", "ECSLocalStorage", "ECSRecipes", "ECSStore", "ECSTestSupport",
      ]),
    .testTarget(name: "ECSTestingTests", dependencies: ["ECS", "ECSTesting", "ECSTestSupport"]),

    // Runs the examples, which `swift test` builds with everything else.
    .testTarget(name: "ExampleTests", dependencies: ["ECSTestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

// A check that runs some tests and programs builds nothing but those and what they need.
if let names = Context.environment["ECS_TARGETS"] {
  let chosen = Set(names.split(separator: " ").map(String.init))
  package.targets.removeAll {
    ($0.type == .executable || $0.type == .test) && !chosen.contains($0.name)
  }
}

// A check that runs some suites builds no other tests; what has no tests is for those of other files.
if let paths = Context.environment["ECS_TESTS_LEFT_OUT"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && paths.contains("Tests/\($0.name)") }
  for target in package.targets where target.type == .test {
    let folder = "Tests/\(target.name)/"
    target.exclude += paths.filter { $0.hasPrefix(folder) }.map {
      String($0.dropFirst(folder.count))
    }
  }
}

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + .common
}

// A program has what it uses of a library, not all that is public: without the first two, each public function is kept,
// and with it all that it calls. With the third, functions do not say how to unwind them, since Swift neither throws
// exceptions of C++ nor lets them pass. Debuggers find that with their other information, which `strip` removes, and
// backtraces of crashes follow frame pointers. On Linux, where it is measured (see `Scripts/weight`).
for target in package.targets where target.type == .regular {
  target.swiftSettings?.append(
    .unsafeFlags(
      [
        "-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link",
        "-Xllvm", "-force-attribute=nounwind",
      ],
      .when(platforms: [.linux], configuration: .release)))
}

// Each process of the compiler expands the macros of a module's other files again, so there is one for each core
// instead of one for 25 files.
for target in package.targets where target.type == .test {
  target.swiftSettings?.append(.unsafeFlags(["-driver-batch-size-limit", "100"]))
}

// What is built once, as in CI, is read once for a module, and neither once for each core nor once more for what others
// import. A change of one file then has the whole module built again.
if Context.environment["ECS_BUILT_ONCE"] != nil {
  for target in package.targets {
    target.swiftSettings?.append(
      .unsafeFlags(
        [
          // The last is the frontend's: the driver's would give way to the `-g` of the package manager, which follows.
          "-wmo", "-no-emit-module-separately-wmo", "-num-threads", "2", "-Xfrontend",
          "-gline-tables-only",
        ],
        .when(configuration: .debug)))
  }
}

// Optimizing tests takes most of an optimized build, and shows nothing where what they call is not compiled into them:
// as the core is, which all of its own tests are optimized with.
for target in package.targets
where target.type == .test && !["ECSTests", "ECSModelTests"].contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
}

extension [SwiftSetting] {
  /// What every target is built with; the loop above hands it out, so no target can miss it.
  static var common: [SwiftSetting] {
    [
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
  }
}
