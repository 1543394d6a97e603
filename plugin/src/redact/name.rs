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
    let words = Words::of(name);
    let (before, last) = (words.before(), words.last());
    let shouts = name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase);
    let ends = |with: &str| last.ends_with(with);
    match last {
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
        "key" if SECRET_KEYS.contains(&before) => Some(Names::Token),
        "key" if shouts && !before.is_empty() && !OTHER_KEYS.contains(&before) => Some(Names::Token),
        _ if ends("secret") || ends("token") || ends("apikey") || ends("accesskey") || ends("privatekey") || ends("secretkey") => {
            Some(Names::Token)
        }
        _ => None,
    }
}

/// The last two words of a name in lower case: parted by marks and by a capital after a small letter, without digits.
struct Words {
    letters: [u8; LONGEST],
    before: usize,
    last: usize,
    end: usize,
}

impl Words {
    fn of(name: &[u8]) -> Self {
        let mut words = Self { letters: [0; LONGEST], before: 0, last: 0, end: 0 };
        let mut parted = false;
        let mut previous = b'_';
        for byte in name.iter().copied() {
            parted |= !byte.is_ascii_alphanumeric() || (byte.is_ascii_uppercase() && previous.is_ascii_lowercase());
            if byte.is_ascii_alphabetic() {
                if parted {
                    words.before = words.last;
                    words.last = words.end;
                    parted = false;
                }
                if let Some(letter) = words.letters.get_mut(words.end) {
                    *letter = byte.to_ascii_lowercase();
                    words.end += 1;
                }
            }
            previous = byte;
        }
        words
    }

    fn before(&self) -> &str {
        self.word(self.before, self.last)
    }

    fn last(&self) -> &str {
        self.word(self.last, self.end)
    }

    fn word(&self, from: usize, to: usize) -> &str {
        self.letters.get(from..to).and_then(|letters| std::str::from_utf8(letters).ok()).unwrap_or_default()
    }
}
