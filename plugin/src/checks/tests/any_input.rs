use proptest::prelude::*;

use crate::checks::{Ending, Parse, judge, read};

/// The stack that a component is given.
const STACK: usize = 1 << 20;

/// Reads and judges on a stack as small as the component's, and says how far the line was understood.
fn read_on_a_small_stack(command: String) -> Parse {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            let reading = read(&command, Some("/r"), &[]);
            for index in 0..reading.invocations.len() {
                let _ = judge(&reading, index, Ending::Failed(Some(1)), "");
            }
            reading.parse
        })
        .unwrap()
        .join()
        .unwrap()
}

#[test]
fn deep_nesting_neither_overflows_the_stack_nor_takes_long() {
    let many = 20_000;
    let cases: Vec<String> = [
        ("(", "a", ")"),
        ("( ", "a", " )"),
        ("$(", "a", ")"),
        ("a $(", "a", ")"),
        ("echo \"$(", "a", ")\""),
        ("{ ", "a", "; }"),
        ("if ", "a", "; then b; fi"),
        ("if a; then ", "b", "; fi"),
        ("if a; then b; el", "if c; then d", "; fi"),
        ("while ", "a", "; do b; done"),
        ("for x in y; do ", "b", "; done"),
        ("case a in b) ", "c", ";; esac"),
        ("${a:-", "b", "}"),
        ("\"${a:-", "b", "}\""),
        ("$((", "1", "))"),
        ("$(( (", "1", ") ))"),
        ("`", "a", "`"),
        ("<(", "a", ")"),
        ("! ", "a", ""),
        ("time ", "a", ""),
        ("coproc ", "a", ""),
        ("f() ", "{ a; }", ""),
        ("function f ", "{ a; }", ""),
        ("[[ ( ", "a", " ) ]]"),
        ("[[ ! ", "a", " ]]"),
        ("a && ", "a", ""),
        ("a || ", "a", ""),
        ("a | ", "a", ""),
        ("a; ", "a", ""),
        ("a & ", "a", ""),
        ("a\n", "a", ""),
        ("elif a; then ", "b", ""),
        ("bash -c '", "a", "'"),
        ("eval ", "a", ""),
        ("env ", "a", ""),
        ("cat <<E\n", "a", "\nE\n"),
        ("a=(", "b", ")"),
        ("{a,", "b", "}"),
        ("'", "a", ""),
        ("\"", "a", ""),
        ("\\", "a", ""),
        (">", "a", ""),
        ("a >b ", "a", ""),
        ("$'", "a", "'"),
    ]
    .iter()
    .flat_map(|(open, inner, close)| {
        [9, 17, 60, many].into_iter().flat_map(move |count: usize| {
            let opened = open.repeat(count);
            [format!("{opened}{inner}{}", close.repeat(count)), format!("{opened}{inner}"), format!("{inner}{}", close.repeat(count))]
        })
    })
    .chain([
        format!("(( {}1 ))", "- ".repeat(many)),
        format!("(( {}1 ))", "a=".repeat(many)),
        format!("(( {}1 ))", "a?b:".repeat(many)),
        format!("[[ {} ]]", "a && ".repeat(many)),
        format!("[[ {}a ]]", "! ".repeat(many)),
        format!("echo $[{}1]", "-".repeat(many)),
        format!("echo ${{a[{}1]}}", "-".repeat(many)),
        format!("for ((i={}1;;)); do a; done", "-".repeat(many)),
        format!("echo $(({}1{}))", "(".repeat(many), ")".repeat(many)),
        format!("let {}", "-".repeat(many)),
        "make ".to_owned() + &"test ".repeat(many),
        "cargo test ".to_owned() + &"-p x ".repeat(many),
        "cargo test;".repeat(many),
        "cargo test && ".repeat(550) + "cargo test",
    ])
    .collect();
    for case in cases {
        let shown: String = case.chars().take(60).collect();
        let length = case.len();
        let started = std::time::Instant::now();
        read_on_a_small_stack(case);
        assert!(started.elapsed().as_millis() < 3_000, "{:?} for {length} bytes of {shown}", started.elapsed());
    }
}

#[test]
fn too_much_is_split_on_separators_and_says_so() {
    assert_eq!(read_on_a_small_stack("(".repeat(1000) + "cargo test"), Parse::Unparsed);
    let reading = read(&format!("{}\ncargo test -p x", "echo a;".repeat(50_000)), Some("/r"), &[]);
    assert_eq!(reading.parse, Parse::Unparsed);
    let reading = read(&format!("cargo test -p x; {}", "( ".repeat(1000)), Some("/r"), &[]);
    assert_eq!(reading.invocations.iter().map(|invocation| invocation.program.as_str()).collect::<Vec<_>>(), ["cargo test"]);
}

/// Pieces that command lines are made of, joined at random.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("cargo test"),
        Just("cd a"),
        Just(" && "),
        Just(" || "),
        Just("; "),
        Just(" | tail"),
        Just(" & "),
        Just("\n"),
        Just("("),
        Just(")"),
        Just("{ "),
        Just("; }"),
        Just("$("),
        Just("`"),
        Just("'"),
        Just("\""),
        Just("\\"),
        Just("if "),
        Just("; then "),
        Just("; else "),
        Just("; fi"),
        Just("for x in a b; do "),
        Just("; done"),
        Just("while "),
        Just("case a in "),
        Just("b) "),
        Just(";; "),
        Just(" esac"),
        Just("<<EOF\n"),
        Just("\nEOF\n"),
        Just(" > out"),
        Just(" 2>&1"),
        Just("! "),
        Just("time "),
        Just("bash -c "),
        Just("env A=1 "),
        Just("npx "),
        Just("npm run test -- "),
        Just("-p x"),
        Just("sed -i s/a/b/ f"),
        Just("set -e"),
        Just("exit 1"),
        Just("[[ "),
        Just(" ]]"),
        Just("(( "),
        Just(" ))"),
        Just("${a:-"),
        Just("}"),
        Just("#"),
        Just("é"),
        Just("\u{2028}"),
        Just("\0"),
        Just("$'"),
        Just("~"),
        Just("*"),
        Just("make"),
        Just(" -C "),
        Just("--"),
        Just("python -m "),
        Just("yarn workspace "),
        Just("="),
        Just("gradle :"),
        Just("docker compose exec "),
        Just("git commit -m "),
        Just("nx run-many -t "),
        Just("sbt "),
        Just("perl -pi -e "),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_command_line_panics_or_takes_long(command in pieces()) {
        let started = std::time::Instant::now();
        let reading = read(&command, Some("/r"), &[]);
        for index in 0..reading.invocations.len() {
            for ending in [Ending::Succeeded, Ending::Failed(None)] {
                let _ = judge(&reading, index, ending, &command);
            }
        }
        prop_assert!(started.elapsed().as_millis() < 2_000);
    }

    #[test]
    fn no_text_panics(command in any::<String>()) {
        let _ = read(&command, None, &[]);
    }
}
