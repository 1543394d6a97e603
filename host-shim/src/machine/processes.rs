//! Child processes of ours: bounded by a deadline and stopped by closing their input, then TERM, then KILL to their group. And the client's own processes,
//! as far as it says which sessions run.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

/// How a child ended.
#[derive(Debug)]
pub enum End {
    /// With this status; a signal's is -1.
    Exited(i32),
    /// Stopped at the deadline.
    TimedOut,
    /// There is no such program.
    Missing,
    /// It could not be started.
    Failed(String),
}

/// What a child wrote.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub end: End,
    /// At most the cap that was asked for.
    pub stdout: Vec<u8>,
    /// At most 64 KiB.
    pub stderr: Vec<u8>,
}

/// Runs a command to its end or to the deadline.
pub fn run(mut command: Command, deadline: Instant, cap: u64) -> Output {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return ended(End::Missing),
        Err(error) => return ended(End::Failed(error.to_string())),
    };
    let (sender, receiver) = channel();
    let pipes = (child.stdout.take(), child.stderr.take());
    let reader = std::thread::spawn(move || {
        let stderr = std::thread::spawn(move || capped(pipes.1, 64 << 10));
        let stdout = capped(pipes.0, cap);
        let _ = sender.send((stdout, stderr.join().unwrap_or_default()));
    });
    match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok((stdout, stderr)) => {
            let _ = reader.join();
            // Both pipes are closed; a child that lives on with closed pipes is waited for no longer than the deadline.
            match wait(&mut child, deadline) {
                Some(status) => Output { end: End::Exited(status), stdout, stderr },
                None => {
                    stop(child);
                    ended(End::TimedOut)
                }
            }
        }
        Err(RecvTimeoutError::Timeout) => {
            stop(child);
            ended(End::TimedOut)
        }
        Err(RecvTimeoutError::Disconnected) => {
            stop(child);
            ended(End::Failed("output lost".to_owned()))
        }
    }
}

fn ended(end: End) -> Output {
    Output { end, stdout: Vec::new(), stderr: Vec::new() }
}

fn capped(pipe: Option<impl Read>, cap: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.by_ref().take(cap).read_to_end(&mut bytes);
        // What is past the cap is read and left out, so that the child does not wait for a reader.
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    }
    bytes
}

fn wait(child: &mut Child, deadline: Instant) -> Option<i32> {
    let mut pause = Duration::from_micros(50);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.code().unwrap_or(-1)),
            Ok(None) if Instant::now() < deadline => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(5));
            }
            _ => return None,
        }
    }
}

/// How long a child that was told to stop has.
const GRACE: Duration = Duration::from_secs(1);

/// What a child that ends when it is told to needs for it.
const BRIEFLY: Duration = Duration::from_millis(50);

/// Children that were told to stop and have not been seen to end, and when.
static STOPPING: Mutex<Vec<(Child, Instant)>> = Mutex::new(Vec::new());

/// Stops a child's group without waiting for it: TERM now, KILL a second later from a thread of its own, or at this process's end.
fn stop(mut child: Child) {
    signal(&mut child, false);
    stopping().push((child, Instant::now()));
    std::thread::spawn(|| {
        std::thread::sleep(GRACE);
        kill(GRACE, Instant::now());
    });
}

/// Ends the children that were told to stop and still run. A door calls it last, as nobody waits for them after it.
pub fn end() {
    if !stopping().is_empty() {
        kill(Duration::ZERO, Instant::now() + BRIEFLY);
    }
}

/// Kills the groups that were told to stop at least `since` ago and have not ended `by` then. A child that was not waited for keeps its id, so no other
/// group is meant.
fn kill(since: Duration, by: Instant) {
    let due: Vec<_> = stopping().extract_if(.., |(_, told)| told.elapsed() >= since).collect();
    for (mut child, _) in due {
        if wait(&mut child, by).is_none() {
            signal(&mut child, true);
            // One that a stalled disk holds does not end even so.
            let _ = wait(&mut child, Instant::now() + BRIEFLY);
        }
    }
}

fn stopping() -> MutexGuard<'static, Vec<(Child, Instant)>> {
    STOPPING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn signal(child: &mut Child, kill: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, if kill { Signal::KILL } else { Signal::TERM });
    }
}

#[cfg(not(unix))]
fn signal(child: &mut Child, kill: bool) {
    if kill {
        let _ = child.kill();
    }
}

/// What the client writes of a process of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Running {
    /// The process.
    pub pid: u32,
    /// Its session now.
    pub session_id: String,
}

/// Sessions that client processes on this machine say they are in. A file whose process is gone says nothing.
pub fn running(client: &Path) -> Vec<Running> {
    let Ok(entries) = std::fs::read_dir(client.join("sessions")) else { return Vec::new() };
    entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter_map(|path| serde_json::from_slice::<Running>(&std::fs::read(path).ok()?).ok())
        .filter(|running| alive(running.pid))
        .collect()
}

#[cfg(unix)]
fn alive(pid: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    i32::try_from(pid).ok().and_then(Pid::from_raw).is_some_and(|pid| match test_kill_process(pid) {
        Ok(()) => true,
        Err(error) => error == rustix::io::Errno::PERM,
    })
}

#[cfg(not(unix))]
fn alive(_pid: u32) -> bool {
    true
}

/// The processes that this one descends from, nearest first, as far as the platform tells.
pub fn ancestors() -> Vec<u32> {
    let mut found = Vec::new();
    #[cfg(unix)]
    {
        let mut next = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
        while let Some(pid) = next.and_then(|pid| u32::try_from(pid).ok()) {
            if pid <= 1 || found.len() >= 16 || found.contains(&pid) {
                break;
            }
            found.push(pid);
            next = parent(pid);
        }
    }
    found
}

/// The parent's id is the second number after the name, which stands in parentheses and may hold anything.
#[cfg(unix)]
fn parent(pid: u32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}
