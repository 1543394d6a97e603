//! Names whose value is a secret.

/// What a name says of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// A password: anything may be one.
    Password,
    /// A token, key or secret: made by a machine.
    Token,
    /// What an `Authorization` header holds.
    Authorization,
    /// What a `Cookie` header holds.
    Cookie,
}

impl Names {
    /// The kind that stands in the value's place.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Token => "secret",
            Self::Authorization => "authorization",
            Self::Cookie => "cookie",
        }
    }
}

/// The longest name that is read, in bytes.
pub const LONGEST: usize = 64;

/// Words before `key` that make it a secret.
const SECRET_KEYS: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "encryption",
    "encrypt",
    "signing",
    "master",
    "service",
    "account",
    "shared",
    "storage",
    "admin",
    "deploy",
    "license",
    "app",
    "application",
    "client",
    "session",
    "webhook",
    "jwt",
    "hmac",
    "aes",
    "cipher",
    "root",
    "subscription",
    "role",
    "ingest",
    "integration",
    "personal",
    "write",
    "secretaccess",
    "sharedaccess",
    "bot",
    "server",
    "token",
    "rest",
];
/// Words before `KEY` in an environment variable's name that make it something else.
const OTHER_KEYS: &[&str] = &[
    "public",
    "primary",
    "foreign",
    "cache",
    "sort",
    "partition",
    "index",
    "map",
    "row",
    "unique",
    "registry",
    "group",
    "hot",
    "pub",
    "publishable",
    "anon",
    "site",
];

/// What a name (`DB_PASSWORD`, `apiKey`, `x-auth-token`, `spring.datasource.password`) says of its value; none when nothing.
pub fn names(name: &[u8]) -> Option<Names> {
    let name = name.get(name.len().saturating_sub(LONGEST)..)?;
    let mut words: [String; 3] = Default::default();
    split(name, |word| {
        words.rotate_left(1);
        if let Some(last) = words.last_mut() {
            *last = word;
        }
    });
    let [_, before, last] = &words;
    let shouts = name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase);
    let ends = |with: &str| last.ends_with(with);
    match last.as_str() {
        "authorization" => Some(Names::Authorization),
        "cookie" => Some(Names::Cookie),
        "pwd" if name == b"PWD" || name == b"OLDPWD" => None,
        "pass" | "pwd" | "passcode" => Some(Names::Password),
        _ if ends("password") || ends("passwd") || ends("passphrase") || ends("userpass") || ends("dbpass") || ends("pgpass") => {
            Some(Names::Password)
        }
        "credential" | "credentials" | "creds" | "pat" | "jwt" | "bearer" => Some(Names::Token),
        "signature" | "sig" => (before == "amz" || name == b"sig" || name == b"signature").then_some(Names::Token),
        "auth" => name.starts_with(b"_").then_some(Names::Token),
        "base" if before == "key" => Some(Names::Token),
        "key" if SECRET_KEYS.contains(&before.as_str()) => Some(Names::Token),
        "key" if shouts && !before.is_empty() && !OTHER_KEYS.contains(&before.as_str()) => Some(Names::Token),
        _ if ends("secret") || ends("token") || ends("apikey") || ends("accesskey") || ends("privatekey") || ends("secretkey") => {
            Some(Names::Token)
        }
        _ => None,
    }
}

/// Words of a name in lower case: parted by marks, by a capital after a small letter, and without digits at the end.
fn split(name: &[u8], mut each: impl FnMut(String)) {
    let mut word = String::new();
    let mut before = b'_';
    for byte in name.iter().copied() {
        let begins = !byte.is_ascii_alphanumeric() || (byte.is_ascii_uppercase() && before.is_ascii_lowercase());
        if begins && !word.is_empty() {
            each(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphabetic() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
        before = byte;
    }
    if !word.is_empty() {
        each(word);
    }
}
