//! Measuring: whole processes from spawn to exit, things in turn, rows of a table.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// From spawn to exit, output read.
pub fn timed(command: &mut Command, input: &[u8], expected: impl Fn(&str) -> bool) -> Duration {
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let took = begun.elapsed();
    assert!(expected(&String::from_utf8_lossy(&output.stdout)), "an answer that was not expected: {output:?}");
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Medians of several things measured in turn, so that what the machine does besides falls on all alike.
pub fn in_turn(rounds: usize, mut things: Vec<Box<dyn FnMut() -> Duration + '_>>) -> Vec<Duration> {
    let mut times = vec![Vec::new(); things.len()];
    for round in 0..=rounds {
        for (index, thing) in things.iter_mut().enumerate() {
            let took = thing();
            // The first round warms what is read from disk.
            if round > 0 {
                times[index].push(took);
            }
        }
    }
    times.into_iter().map(median).collect()
}

/// A row: what it takes as a share of what it is compared with.
pub fn row(table: &mut String, what: &str, ours: Duration, theirs: Duration, most: f64) {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    let verdict = if ratio <= most { "reached" } else { "not reached" };
    let ms = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    table.push_str(&format!("| {what} | {} | {} | {ratio:.2} | {most:.2} | {verdict} |\n", ms(ours), ms(theirs)));
}
