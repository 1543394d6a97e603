//! A large transcript.

use std::fs;
use std::path::PathBuf;

use reveille_tests::artefacts;

const LARGE: usize = 100 << 20;

/// Real sessions again and again, with ids of their own each time: copies of a record count once.
pub fn large() -> Vec<u8> {
    let folder = artefacts::root().join("tests").join("cases").join("real").join("projects");
    let mut sessions: Vec<PathBuf> = Vec::new();
    for project in fs::read_dir(folder).unwrap().flatten() {
        sessions.extend(
            fs::read_dir(project.path())
                .unwrap()
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")),
        );
    }
    sessions.sort();
    let texts: Vec<String> = sessions.iter().map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()).collect();
    let mut out = Vec::with_capacity(LARGE + (1 << 20));
    let mut round = 0;
    while out.len() < LARGE {
        let text = &texts[round % texts.len()];
        let renamed = text
            .replace("\"uuid\":\"", &format!("\"uuid\":\"{round}-"))
            .replace("toolu_", &format!("toolu_{round}_"))
            .replace("msg_", &format!("msg_{round}_"));
        out.extend_from_slice(renamed.as_bytes());
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        round += 1;
    }
    out
}
