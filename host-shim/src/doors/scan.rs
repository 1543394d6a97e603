//! Reads every transcript of this machine into the index.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::asking::Asking;
use crate::error::Failure;
use crate::machine::paths;
use crate::machine::transcripts::{self, Transcript};

/// What a scan did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scanned {
    /// Transcripts that are in the index now, sub-agents' included.
    pub transcripts: u64,
    /// Those that could not be read.
    pub unreadable: u64,
    /// Bytes read for it.
    pub bytes: u64,
}

/// Scans. A progress bar is drawn on a terminal.
pub fn run() -> Result<Scanned, Failure> {
    let mut all: Vec<Transcript> = Vec::new();
    for folder in paths::projects().iter().flat_map(|projects| transcripts::all_folders(projects)) {
        for session in transcripts::sessions(&folder) {
            let agents = transcripts::subagents(&session);
            all.push(session);
            all.extend(agents);
        }
    }
    let bar = ProgressBar::new(all.len() as u64);
    if std::io::stderr().is_terminal() {
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}").unwrap_or_else(|_| ProgressStyle::default_bar()));
    } else {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let mut scanned = Scanned::default();
    // An instance for each few files, so that its memory is that of a few files.
    for some in all.chunks(32) {
        let mut asking = Asking::begin()?;
        for transcript in some {
            match asking.scan(transcript)? {
                Some(bytes) => {
                    scanned.transcripts += 1;
                    scanned.bytes += bytes;
                }
                None => scanned.unreadable += 1,
            }
            bar.inc(1);
        }
        asking.finish();
    }
    bar.finish_and_clear();
    Ok(scanned)
}
