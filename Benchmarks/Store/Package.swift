// swift-tools-version: 6.3

import PackageDescription

// A package of its own: the root package's one target that names GRDB is ECSStore, and a second one would
// have it fetched for all users.
let package = Package(
  name: "store-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-ecs", path: "../..", traits: ["SQLite"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "store-benchmarks",
      dependencies: [
        .product(name: "ECS", package: "swift-ecs"),
        .product(name: "ECSStore", package: "swift-ecs"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Sources",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
