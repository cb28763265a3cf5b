//! The description of the HTTP interface holds: schemathesis (PyPI) finds nothing.
//!
//! It runs where `schemathesis` is on the path or in `THRONG_SCHEMATHESIS`; elsewhere the test says
//! how to install it. `THRONG_SCHEMATHESIS_EXAMPLES` sets how many cases each operation gets.
#![expect(clippy::disallowed_methods, reason = "a test of a program that may be installed")]

use std::process::Command;

use throng_server::ServerOptions;

use crate::client::TestServer;

fn variable(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

#[test]
fn schemathesis_finds_nothing() {
    let program = variable("THRONG_SCHEMATHESIS", "schemathesis");
    if Command::new(&program).arg("--version").output().is_err() {
        eprintln!(
            "skipped: no schemathesis here; python3 -m venv V && V/bin/pip install schemathesis"
        );
        return;
    }
    let options = ServerOptions {
        scenario: "bay".to_owned(),
        requests_per_second: 100_000.0,
        ..ServerOptions::default()
    };
    let server = TestServer::start(&options);
    let output = Command::new(&program)
        .args(["run", &format!("http://{}/openapi.json", server.address)])
        // A schema cannot say that a text is a readable map, or that a world has four teams.
        .args(["--checks", "all", "--exclude-checks", "positive_data_acceptance"])
        .args(["--max-examples", &variable("THRONG_SCHEMATHESIS_EXAMPLES", "3")])
        .args(["--seed", "1", "--phases", "examples,coverage,fuzzing"])
        .args(["--generation-database", "none", "--request-timeout", "60"])
        .env("NO_COLOR", "1")
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    println!("{}", &text[text.rfind("SUMMARY").unwrap_or(0)..]);
    let (status, _) = server.ask("GET", "/readyz", b"");
    assert_eq!(status, 200);
}
