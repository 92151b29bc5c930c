// swift-tools-version: 6.2
import PackageDescription

// The targets in the order of the flow: bytes come in at the top, the rules are at the end, C libraries last.
let package = Package(
    name: "hansang",
    products: [.executable(name: "hansang", targets: ["hansang"])],
    targets: [
        .executableTarget(
            name: "hansang",
            dependencies: [
                "API", "HTTPServer", "SQLiteStore", "PostgresStore", "GameJSON", "JSON", "HTTP", "UseCases", "MenuGame", "CCrypto", "CCurl",
                "Metrics", "Push",
            ],
            swiftSettings: strict),
        .executableTarget(name: "echo-server", dependencies: ["HTTPServer", "HTTP"], swiftSettings: strict),
        .target(name: "HTTPServer", dependencies: ["HTTP", "CEpoll"], swiftSettings: strict),
        .target(name: "HTTP", swiftSettings: strict),
        .target(
            name: "API", dependencies: ["HTTP", "GameJSON", "JSON", "UseCases", "MenuGame", "CUTF8Proc", "CQREncode"], swiftSettings: strict
        ),
        .target(name: "Push", dependencies: ["UseCases", "JSON", "MenuGame", "CCurl", "CCrypto", "CEpoll"], swiftSettings: strict),
        .target(name: "SQLiteStore", dependencies: ["UseCases", "GameJSON", "MenuGame", "CSQLite"], swiftSettings: strict),
        .target(name: "PostgresStore", dependencies: ["UseCases", "GameJSON", "MenuGame", "CPostgres"], swiftSettings: strict),
        .target(name: "GameJSON", dependencies: ["JSON", "MenuGame"], swiftSettings: strict),
        .target(name: "JSON", dependencies: ["CJansson"], swiftSettings: strict),
        .target(name: "UseCases", dependencies: ["MenuGame"], swiftSettings: strict),
        .target(
            name: "MenuGame", exclude: ["Recommendation/RULE.md", "Recommendation/PROOFS.md"], swiftSettings: strict),
        .target(name: "Metrics", swiftSettings: strict),

        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CEpoll"),

        .testTarget(
            name: "MenuGameTests", dependencies: ["MenuGame", "GameJSON", "JSON", "TestSupport"], exclude: ["Fixtures"],
            swiftSettings: strict),
        .testTarget(name: "UseCasesTests", dependencies: ["UseCases", "MenuGame", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "MetricsTests", dependencies: ["Metrics"], swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
        .testTarget(name: "GameJSONTests", dependencies: ["GameJSON", "JSON", "MenuGame", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SQLiteStoreTests", dependencies: ["SQLiteStore", "UseCases", "GameJSON", "JSON", "MenuGame", "CSQLite", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "PostgresStoreTests", dependencies: ["PostgresStore", "UseCases", "MenuGame", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "StoreContractTests", dependencies: ["SQLiteStore", "PostgresStore", "UseCases", "MenuGame", "TestSupport"],
            path: "Tests/StoreContract", swiftSettings: strict),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ConformanceTests", dependencies: ["echo-server", "HTTPServer", "HTTP", "TestSupport"], path: "Tests/Conformance",
            exclude: ["cases.json", "proxies.py", "proxies.sh", "README.md"], swiftSettings: strict),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTP"], swiftSettings: strict),
        .testTarget(
            name: "PushTests", dependencies: ["Push", "UseCases", "JSON", "MenuGame", "TestSupport"], path: "Tests/Push",
            exclude: ["keys.py", "services.py", "stand_in.py", "stand-in.sh", "requirements.txt"], swiftSettings: strict),
        .testTarget(
            name: "APITests", dependencies: ["API", "SQLiteStore", "HTTP", "GameJSON", "JSON", "UseCases", "MenuGame", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "hansangTests",
            dependencies: [
                "hansang", "API", "HTTPServer", "SQLiteStore", "PostgresStore", "GameJSON", "JSON", "HTTP", "UseCases", "MenuGame",
                "CSQLite", "Metrics",
                "TestSupport",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "stream-server", dependencies: ["HTTPServer", "HTTP"], path: "Tests/Load/stream-server", swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["GameJSON", "JSON", "UseCases", "MenuGame", "CPostgres"], path: "Tests/Support",
            exclude: ["postgres.py", "shards.sql"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

/// Warnings are errors everywhere; `any` is spelt out and imports are private unless a signature needs them.
var strict: [SwiftSetting] {
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        // Generic code is made for the types that other modules use it with, and not looked up at run time.
        .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
    ]
}
