//! Secrets that are known by their shape.

use super::{becomes, capitals, goes, hex, made, stays};

#[test]
fn every_row_of_the_table_takes_its_token() {
    for row in super::super::tokens::ROWS {
        let length = row.least.clamp(1, row.most);
        let body = match row.of {
            super::super::token::Of::Hex => hex("", length),
            super::super::token::Of::Capitals => capitals("", length),
            _ => made("", length),
        };
        let expected = if row.keeps_prefix { format!("{}[redacted:{}]", row.prefix, row.kind) } else { format!("[redacted:{}]", row.kind) };
        becomes(&format!("now {}{body} and", row.prefix), &format!("now {expected} and"));
    }
}

#[test]
fn common_tokens_go_wherever_they_stand() {
    goes("aws-key", &capitals("AKIA", 16));
    goes("github-token", &made("ghp_", 36));
    goes("github-token", &made("github_pat_", 82));
    goes("gitlab-token", &made("glpat-", 20));
    goes("slack-token", &made("xoxb-1234567890-1234567890-", 24));
    goes("stripe-key", &made("sk_live_", 24));
    goes("npm-token", &made("npm_", 36));
    goes("pypi-token", &made("pypi-AgEIcHlwaS5vcmc", 60));
    goes("crates-token", &made("cio", 32));
    goes("anthropic-key", &format!("{}-{}", made("sk-ant-api03-", 60), made("", 32)));
    goes("openai-key", &format!("{}_{}", made("sk-proj-", 40), made("", 30)));
    goes("api-key", &made("sk-", 48));
    goes("huggingface-token", &made("hf_", 34));
    goes("google-key", &made("AIza", 35));
    goes("sendgrid-key", &format!("{}.{}", made("SG.", 22), made("", 43)));
    goes("telegram-token", &made("123456789:AA", 33));
    goes("mailchimp-key", &format!("{}-us12", hex("", 32)));
    goes("azure-secret", &made("abc8Q~", 34));
    goes("terraform-token", &format!("{}.atlasv1.{}", made("", 14), made("", 60)));
    goes("age-key", &capitals("AGE-SECRET-KEY-1", 58));
    goes("twilio-key", &hex("SK", 32));
}

#[test]
fn cut_tokens_go_too() {
    becomes(&format!("{}…", made("ghp_", 14)), "[redacted:github-token]…");
    becomes(&format!("{}...", made("sk-ant-", 10)), "[redacted:anthropic-key]...");
    becomes(&format!("{}…", made("eyJ", 40)), "[redacted:jwt]…");
    stays("a token begins with ghp_… or github_pat_…");
}

#[test]
fn web_tokens() {
    let token = format!("{}.{}.{}", made("eyJ", 20), made("eyJ", 40), made("", 43));
    goes("jwt", &token);
    becomes(&format!("{}.{}.", made("eyJ", 20), made("eyJ", 40)), "[redacted:jwt].");
    stays(&made("eyJ", 60));
}

#[test]
fn private_keys() {
    for label in
        ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
    {
        let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
        for line_end in ["\n", "\\n", " ", "\r\n", "\\\\n", "\n    "] {
            let body = [made("MII", 61), made("", 64), format!("{}==", made("", 20))].join(line_end);
            becomes(
                &format!("key: {begin}{line_end}{body}{line_end}{end}{line_end}after"),
                &format!("key: [redacted:private-key]{line_end}after"),
            );
            becomes(&format!("{begin}{line_end}{body}"), "[redacted:private-key]");
            becomes(&format!("{begin}{line_end}{}…", made("MII", 30)), "[redacted:private-key]…");
        }
    }
    let old = format!(
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{}\n\n{}\n-----END RSA PRIVATE KEY-----",
        hex("", 32),
        made("", 64)
    );
    becomes(&old, "[redacted:private-key]");
    let armoured = format!(
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{}\n={}\n-----END PGP PRIVATE KEY BLOCK-----",
        made("lQ", 62),
        made("", 4)
    );
    becomes(&armoured, "[redacted:private-key]");
    becomes(&armoured.replace('\n', " "), "[redacted:private-key]");
    stays("it begins with -----BEGIN PRIVATE KEY----- and then the key");
    stays(&format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", made("", 64)));
    stays(&format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----", made("", 64)));
}

#[test]
fn webhooks_keep_their_address() {
    becomes(
        &format!("https://hooks.slack.com/services/T0001/B0002/{}", made("", 24)),
        "https://hooks.slack.com/services/[redacted:slack-webhook]",
    );
    becomes(
        &format!("https://discord.com/api/webhooks/123456789012345678/{}", made("", 68)),
        "https://discord.com/api/webhooks/[redacted:discord-webhook]",
    );
}

#[test]
fn two_secrets_of_one_text_go_apart() {
    let (one, two) = (made("ghp_", 36), made("npm_", 36));
    becomes(&format!("{one},{two}\n{one}"), "[redacted:github-token],[redacted:npm-token]\n[redacted:github-token]");
}
