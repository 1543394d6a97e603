//! Secrets that are known by the name beside them, or by where they stand.

use super::{becomes, hex, made, stays};

#[test]
fn credentials_in_addresses() {
    let secret = made("", 12);
    becomes(&format!("postgres://app:{secret}@db.internal:5432/acme"), "postgres://app:[redacted:url-password]@db.internal:5432/acme");
    becomes(&format!("https://bot:{secret}@git.acme.dev/a.git"), "https://bot:[redacted:url-password]@git.acme.dev/a.git");
    becomes("redis://:hunter2@cache:6379", "redis://:[redacted:url-password]@cache:6379");
    becomes("mysql://root:p#ss/w@rd@db/acme", "mysql://root:[redacted:url-password]@db/acme");
    becomes(&format!("https://{}@git.acme.dev/a.git", made("", 20)), "https://[redacted:url-token]@git.acme.dev/a.git");
    becomes(&format!("https://{}:x-oauth-basic@git.acme.dev/a.git", made("", 40)), "https://[redacted:url-token]@git.acme.dev/a.git");
    stays("ssh://git@git.acme.dev/a.git");
    stays("https://user:$PASSWORD@host/ and https://user:<password>@host/ and https://acme.dev/@scope/name:x@1");
    stays("git@git.acme.dev:acme/web.git");
}

#[test]
fn authorization_headers() {
    let token = made("", 40);
    becomes(&format!("Authorization: Bearer {token}"), "Authorization: Bearer [redacted:authorization]");
    becomes(
        &format!("curl -H 'authorization: Basic {token}=' https://acme.dev"),
        "curl -H 'authorization: Basic [redacted:authorization]' https://acme.dev",
    );
    becomes(&format!("{{\"Authorization\":\"Bearer {token}\"}}"), "{\"Authorization\":\"Bearer [redacted:authorization]\"}");
    becomes(
        &format!("{{\\\"Authorization\\\": \\\"token {token}\\\"}}"),
        "{\\\"Authorization\\\": \\\"token [redacted:authorization]\\\"}",
    );
    becomes(&format!("Proxy-Authorization: {token}"), "Proxy-Authorization: [redacted:authorization]");
    becomes(&format!("got Bearer {token} back"), "got Bearer [redacted:authorization] back");
    becomes(&format!("Authorization: Bearer {}", made("", 3000)), "Authorization: Bearer [redacted:authorization]");
    becomes(&format!("X-Api-Key: {}", made("", 3000)), "X-Api-Key: [redacted:secret]");
    becomes(&format!("\"apiKey\": \"{}\", x", made("", 3000)), "\"apiKey\": \"[redacted:secret]\", x");
    becomes(&format!("X-Api-Key: {token}"), "X-Api-Key: [redacted:secret]");
    stays("Authorization: Bearer $TOKEN");
    stays("-H \"Authorization: Bearer ${TOKEN}\" and Authorization: Bearer <token>");
    stays("the Authorization: header is missing, use Bearer authentication");
}

#[test]
fn cookies() {
    becomes(&format!("Cookie: session={}; theme=dark", made("", 20)), "Cookie: [redacted:cookie]");
    becomes(
        &format!("Set-Cookie: sid={}; Path=/; HttpOnly\nContent-Type: text/html", made("", 20)),
        "Set-Cookie: [redacted:cookie]\nContent-Type: text/html",
    );
    becomes(&format!("curl -H 'Cookie: sid={}' x", made("", 20)), "curl -H 'Cookie: [redacted:cookie]' x");
    stays("cookie: the session's cookie is not set");
}

#[test]
fn variables() {
    let secret = made("", 24);
    for name in [
        "API_TOKEN",
        "CLIENT_SECRET",
        "DATADOG_API_KEY",
        "SECRET_KEY_BASE",
        "AWS_SECRET_ACCESS_KEY",
        "apiKey",
        "client_secret",
        "authToken",
        "STRIPE_KEY",
        "_authToken",
        "spring.token",
        "AccountKey",
    ] {
        for (before, after) in [("", ""), ("export ", ""), ("docker run -e ", " image"), ("?a=1&", "&b=2")] {
            becomes(&format!("{before}{name}={secret}{after}"), &format!("{before}{name}=[redacted:secret]{after}"));
        }
        becomes(&format!("{name}: {secret}"), &format!("{name}: [redacted:secret]"));
        becomes(&format!("{name} = \"{secret}\""), &format!("{name} = \"[redacted:secret]\""));
        becomes(&format!("\"{name}\":\"{secret}\","), &format!("\"{name}\":\"[redacted:secret]\","));
        becomes(&format!("{{\\\"{name}\\\":\\\"{secret}\\\"}}"), &format!("{{\\\"{name}\\\":\\\"[redacted:secret]\\\"}}"));
        becomes(&format!("env[\"{name}\"] = '{secret}'"), &format!("env[\"{name}\"] = '[redacted:secret]'"));
    }
    becomes(&format!("GH_TOKEN={}", made("ghp_", 36)), "GH_TOKEN=[redacted:github-token]");
    becomes(&format!("HEROKU_API_KEY={}", "12345678-9abc-4def-8123-456789abcdef"), "HEROKU_API_KEY=[redacted:secret]");
    becomes(&format!("DD_API_KEY={}", hex("", 32)), "DD_API_KEY=[redacted:secret]");
}

#[test]
fn passwords() {
    becomes("PGPASSWORD=hunter psql", "PGPASSWORD=[redacted:password] psql");
    becomes("DB_PASSWORD: s3cret!", "DB_PASSWORD: [redacted:password]");
    becomes("password=hunter22", "password=[redacted:password]");
    becomes("password = \"correct horse\"", "password = \"[redacted:password]\"");
    becomes("Server=db;User Id=sa;Password=Str0ng!pw;Encrypt=true", "Server=db;User Id=sa;Password=[redacted:password];Encrypt=true");
    becomes("{\"password\": \"tr0ub4dor\"}", "{\"password\": \"[redacted:password]\"}");
    becomes("password: \"пароль-длинный\"", "password: \"[redacted:password]\"");
}

#[test]
fn command_lines() {
    becomes("deploy --password hunter22 --force", "deploy --password [redacted:password] --force");
    becomes(&format!("deploy --api-key={} x", made("", 24)), "deploy --api-key=[redacted:secret] x");
    becomes(&format!("deploy --token '{}'", made("", 24)), "deploy --token '[redacted:secret]'");
    becomes("mysql -u root -phunter2 acme", "mysql -u root -p[redacted:password] acme");
    becomes("mysqldump -uroot -p'hunter2' acme", "mysqldump -uroot -p'[redacted:password]' acme");
    becomes("curl -s -u admin:hunter2 https://acme.dev", "curl -s -u admin:[redacted:password] https://acme.dev");
    becomes("curl --user 'admin:hunter2' https://acme.dev", "curl --user 'admin:[redacted:password]' https://acme.dev");
    becomes(
        &format!("curl -H 'Authorization: Bearer {}' -u admin:hunter2 x", made("", 30)),
        "curl -H 'Authorization: Bearer [redacted:authorization]' -u admin:[redacted:password] x",
    );
    becomes("sshpass -p hunter2 ssh acme", "sshpass -p [redacted:password] ssh acme");
    becomes("docker login -u me -p hunter2 ghcr.io", "docker login -u me -p [redacted:password] ghcr.io");
    becomes("machine acme.dev login me password hunter2", "machine acme.dev login me password [redacted:password]");
    stays("mysql -u root -p acme");
    stays("curl -u admin https://acme.dev");
    stays("echo $P | docker login -u me --password-stdin");
    stays("mkdir -p a/b; curl -sS https://acme.dev | grep -u x:y");
}
