//! Java, Kotlin, Scala, Clojure and .NET.

use super::{Args, Does, LINT, Operands, PLAIN, Row, TARGETS, Tool, check, named, nothing, row, run, tool, write};

const MAVEN: Args = Args {
    packages: &["-pl|--projects"],
    filters: &["-Dtest", "-Dit.test", "-Dgroups", "-DexcludedGroups", "-Dcucumber.filter.tags", "-rf|--resume-from"],
    narrowing: &["-DskipTests", "-DskipITs", "-Dmaven.test.skip"],
    valued: &["-P", "--activate-profiles", "-s", "--settings", "-T", "--threads", "-gs", "-l", "--log-file"],
    directories: &["-f", "--file"],
    nothing: &["--help", "--version", "-v", "-h"],
    ..PLAIN
};
const GRADLE: Args = Args {
    filters: &["--tests", "-x|--exclude-task"],
    valued: &[
        "-I",
        "--init-script",
        "--console",
        "--max-workers",
        "-c",
        "--settings-file",
        "-b",
        "--build-file",
        "-g",
        "--warning-mode",
        "--profile",
    ],
    directories: &["-p", "--project-dir"],
    nothing: &["--help", "--version", "-v", "-h", "--dry-run", "-m", "--stop", "--status"],
    ..PLAIN
};
const SBT: Args = Args { valued: &["-Dsbt.log.noformat", "-J"], ..PLAIN };
const DOTNET: Args = Args {
    operands: Operands::Packages,
    filters: &["--filter", "--filter-method", "--filter-class"],
    narrowing: &["--no-restore-only"],
    valued: &[
        "-c",
        "--configuration",
        "-f",
        "--framework",
        "-r",
        "--runtime",
        "-v",
        "--verbosity",
        "-l",
        "--logger",
        "--results-directory",
        "-s",
        "--settings",
        "-o",
        "--output",
        "--collect",
        "-a",
        "--arch",
    ],
    nothing: &["--help", "--version", "-h", "-t", "--list-tests", "-?"],
    ..TARGETS
};
const DOTNET_FORMAT: Args = Args {
    checks: &["--verify-no-changes"],
    operands: Operands::Packages,
    valued: &["--severity", "-v", "--verbosity", "--include", "--exclude"],
    ..TARGETS
};
const DOTNET_RUN: Args = Args { packages: &["--project|-p"], operands: Operands::Ignored, ..DOTNET };
const COMPILER: Args = Args {
    valued: &["-d", "-cp", "-classpath", "--class-path", "--release", "-source", "-target", "-processorpath", "-sourcepath"],
    ..TARGETS
};

/// Flags before a subcommand.
pub const TOOLS: &[Tool] = &[
    tool("dotnet", &[], &[], &[]),
    tool("java", &["-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-opens", "--add-exports", "--add-modules"], &[], &[]),
    tool("clojure", &[], &[], &[]),
    tool("ant", &["-f", "-buildfile"], &[], &[]),
    tool("lein", &[], &[], &[]),
    tool("mill", &[], &[], &[]),
    tool("bazel", &["--output_base", "--bazelrc", "--output_user_root"], &[], &[]),
];

/// Programs.
pub const ROWS: &[Row] = &[
    row("mvn", Does::Goals, MAVEN),
    named(row("mvnd", Does::Goals, MAVEN), "mvn"),
    named(row("mvnw", Does::Goals, MAVEN), "mvn"),
    row("gradle", Does::Goals, GRADLE),
    named(row("gradlew", Does::Goals, GRADLE), "gradle"),
    row("sbt", Does::Goals, SBT),
    row("ant", Does::Goals, PLAIN),
    row("mill", Does::Goals, PLAIN),
    check("lein test", Args { filters: &[":only"], ..TARGETS }),
    check("lein check", PLAIN),
    check("lein compile", PLAIN),
    run("lein run", PLAIN),
    check("bloop test", Args { operands: Operands::Packages, ..TARGETS }),
    check("bloop compile", Args { operands: Operands::Packages, ..TARGETS }),
    check("scala-cli test", TARGETS),
    check("scala-cli compile", TARGETS),
    run("scala-cli run", TARGETS),
    row("scalafmt", Does::Format, Args { checks: &["--test", "--check", "--list"], ..TARGETS }),
    check("scalac", COMPILER),
    check("javac", COMPILER),
    check("kotlinc", COMPILER),
    check("ktlint", Args { writes: &["-F", "--format"], ..LINT }),
    check("detekt", LINT),
    check("checkstyle", LINT),
    row(
        "google-java-format",
        Does::Format,
        Args { checks: &["-n", "--dry-run", "--set-exit-if-changed"], writes: &["-i", "-r", "--replace"], ..TARGETS },
    ),
    check("clj-kondo", LINT),
    check("amper test", PLAIN),
    check("amper build", PLAIN),
    check("bb test", TARGETS),
    run("java", TARGETS),
    run("jbang", TARGETS),
    run("kotlin", TARGETS),
    run("groovy", TARGETS),
    check("dotnet test", DOTNET),
    check("dotnet vstest", DOTNET),
    check("dotnet build", DOTNET),
    check("dotnet msbuild", DOTNET),
    check("dotnet publish", DOTNET),
    check("dotnet pack", DOTNET),
    row("dotnet format", Does::Format, DOTNET_FORMAT),
    named(row("dotnet csharpier", Does::Format, Args { checks: &["--check"], ..TARGETS }), "csharpier"),
    check("csharpier check", TARGETS),
    row("csharpier", Does::Format, Args { checks: &["--check"], ..TARGETS }),
    run("dotnet run", DOTNET_RUN),
    run("dotnet watch", DOTNET_RUN),
    write("dotnet add"),
    write("dotnet remove"),
    write("dotnet new"),
    write("dotnet restore"),
    write("dotnet ef"),
    write("dotnet sln"),
    nothing("dotnet clean"),
    nothing("dotnet tool"),
    check("msbuild", DOTNET),
    check("nunit3-console", TARGETS),
    check("xunit.console", TARGETS),
];
