//! What looks like a secret and is none.

use super::{hex, made, stays};

#[test]
fn names_of_things_stay() {
    stays(&format!("commit {} and a25b9cd", hex("", 40)));
    stays("12345678-9abc-4def-8123-456789abcdef");
    stays(&format!("sha256:{} integrity sha512-{}==", hex("", 64), made("", 86)));
    stays("/home/me/code/acme/node_modules/.pnpm/@scope+name@1.2.3_abc123/index.js:12:5");
    stays("https://acme.dev/a/b?page=2&sort=key&token_count=3#token");
    stays("2026-09-05T15:04:05Z 10.0.0.1:8080 [::1]:443 user@acme.dev");
    stays("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@host");
}

#[test]
fn images_and_other_base64_stay() {
    let mut data = String::from("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ");
    for at in 0..4000_usize {
        data.push(char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[(at * 31 + at * at / 7) % 64]));
    }
    stays(&data);
}

#[test]
fn code_and_prose_about_secrets_stay() {
    for line in [
        "let token = next_token(&mut lexer);",
        "token: Token, secret: string; password: string;",
        "password?: string | undefined",
        "const apiKey = process.env.API_KEY_2;",
        "api_key=os.environ[\"API_KEY\"]",
        "password = config.database.password",
        "password=password, token=token, secret=secret",
        "connect(user=user, password=user_password)",
        "the token: it is read from the environment",
        "if (token === 'identifier') { return parseToken2(token); }",
        "tokens: 212000, max_tokens=4096, token_count: 12345",
        "--token \"$TOKEN\" --password ${PASSWORD}",
        "API_KEY=<your-api-key> API_TOKEN=your_token_123 SECRET_KEY=xxxxxxxxxxxx PASSWORD=changeme PASSWORD=********",
        "password: ${{ secrets.DB_PASSWORD_2 }}",
        "PWD=/home/me/acme OLDPWD=/home/me1/acme2",
        "primary_key: user2id, PRIMARY_KEY=id1, cache_key=\"user:1234567\"",
        "credentials: 'include'",
        "type: 'password', label: \"Enter your password\"",
        "\"password\": \"must be at least 8 characters\"",
        "TOKEN_FILE=/run/secrets/token1 --token-file ./secrets/token1.txt private_key=./keys/key1.pem",
        "sk-loading-indicator-wrapper-element sk-button is-primary before_rendering_everything_else self_hf_something",
        "assert_eq!(token.kind, Kind::Word2)",
        "password == hunter22 || secret != other1234",
        "key-value-pairs-are-what-everybody-wants-here",
        "it said: Bearer token is required and must be present",
        "git commit -m 'auth: rotate the signing key'",
    ] {
        stays(line);
    }
}

#[test]
fn marks_of_what_was_taken_out_stay() {
    for line in [
        "[redacted:github-token]",
        "password=[redacted:password]",
        "https://user:[redacted:url-password]@host https://[redacted:url-token]@host",
        "Authorization: Bearer [redacted:authorization]",
        "Cookie: [redacted:cookie]",
        "mysql -p[redacted:password] x",
        "[redacted:",
    ] {
        stays(line);
    }
}

#[test]
fn text_without_secrets_is_not_copied() {
    stays("");
    stays("The first thing the person asked for, and é, 日本語, 🦀.");
}
