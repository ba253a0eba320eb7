import { createSeededRandom } from "../../packages/testing/src/seeded-random.ts";

/** A secret with something it stands in. It is put together when it is asked for, so that no scanner finds it here. */
export interface SecretSample {
  readonly kind: string;
  readonly text: string;
  /** What must not survive. */
  readonly secret: string;
}

const random = createSeededRandom(20_261_115);
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function made(length: number, alphabet = letters): string {
  return Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join("");
}

const hex = (length: number) => made(length, "0123456789abcdef");
const upper = (length: number) => made(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
const plain = (kind: string, ...parts: readonly string[]): SecretSample => {
  const secret = parts.join("");
  return { kind, secret, text: `Use this: ${secret} for now.` };
};
const inside = (kind: string, before: string, secret: string, after = ""): SecretSample => ({
  kind,
  secret,
  text: `${before}${secret}${after}`,
});

/** A key as PEM has it; nothing of it is a key. */
export function pemSample(label = "RSA PRIVATE KEY", newline = "\n"): string {
  const body = `MII${made(61)}${newline}${Array.from({ length: 10 }, () => made(64)).join(newline)}`;
  return ["-----BEGIN ", label, "-----", newline, body, newline, "-----END ", label, "-----"].join("");
}

const pem = (label: string): SecretSample => {
  const secret = pemSample(label);
  return { kind: "private-key", secret, text: `key:\n${secret}\n` };
};

/** The kinds that the detector documents, in the forms that it documents. */
export function documentedSamples(): readonly SecretSample[] {
  return [
    inside("aws", `AWS_SECRET_ACCESS_${"KEY"}=`, made(40)),
    inside("aws", `"aws_secret_access_${"key"}": "`, made(40), '"'),
    pem("RSA PRIVATE KEY"),
    pem("PRIVATE KEY"),
    pem("EC PRIVATE KEY"),
    pem("OPENSSH PRIVATE KEY"),
    inside("npm", `//registry.example/:_auth${"Token"}=`, hex(36)),
    plain("npm", "np", "m_", made(36)),
    inside("npm", "git+https://", hex(40), ":x-oauth-basic@github.com/a/b.git"),
    inside("basicauth", "https://deploy:", made(14), "@registry.internal.net/x"),
    plain("slack", "xo", "xb-", made(12, "0123456789"), "-", made(12, "0123456789"), "-", made(24)),
    plain("slack", "xo", "xp-", made(12, "0123456789"), "-", made(12, "0123456789"), "-", made(24)),
    plain("slack", "https://hooks.", "slack.com/services/T", upper(8), "/B", upper(8), "/", made(24)),
    plain("sendgrid", "S", "G.", made(22), ".", made(43)),
    ...["at", "ca", "pa", "ss"].map((part) => plain("shopify", "shp", part, "_", hex(32))),
    ...["p", "o", "u", "s", "r"].map((part) => plain("github", "gh", part, "_", made(36))),
    plain("github", "github", "_pat_", made(82)),
    plain("openai", "s", "k-", made(20), "T3Blbk", "FJ", made(20)),
    plain("openai", "s", "k-proj-", made(74), "T3Blbk", "FJ", made(74)),
    plain("anthropic", "sk-", "ant-api03-", made(93), "AA"),
    plain("linear", "lin", "_api_", made(40)),
    plain(
      "1password",
      "ops",
      "_",
      Buffer.from(JSON.stringify({ email: "a@b", secretKey: made(80), x: {} }))
        .toString("base64")
        .replace(/=*$/, ""),
    ),
    inside("database", "mongodb+srv://app:", made(16), "@cluster.internal/db"),
    inside("database", "mysql://app:", made(16), "@10.0.0.2:3306/db"),
    inside("database", "postgresql://app:", made(16), "@db.internal:5432/db"),
  ];
}

/** Kinds for which neither the detector's preset nor a rule of ours by name exists. */
export function unseenSamples(): readonly SecretSample[] {
  return [
    inside("env line", `ACME_WIDGET_${"SECRET"}=`, made(24)),
    inside("yaml password", `db:\n  pass${"word"}: `, `${made(6)}!${made(5)}7`),
    inside("json password", `{"pass${"word"}": "`, `${made(9)}$4`, '"}'),
    inside("spoken password", `The staging pass${"word"} is `, `${made(7)}9x`, "."),
    inside("ado connection", `Server=db;User Id=sa;Pass${"word"}=`, `${made(12)}3`, ";"),
    inside("header", `Authoriz${"ation"}: Bearer `, made(40)),
    inside("custom header", `X-Acme-${"Token"}: `, made(32)),
    inside("query", `https://api.acme.example/v1?access_${"token"}=`, made(32), "&page=1"),
    inside("redis", "redis://:", made(20), "@cache:6379/0"),
    inside("cookie", "Cookie: sid=", made(32)),
    plain("bare hex", hex(40)),
    plain("bare base64", made(43), "="),
    inside("totp seed", "otpauth://totp/x?secret=", upper(32)),
    inside("spoken pin", `the door ${"pin"} is `, "4711"),
    inside("words", "correct horse phrase: ", "tuba violet mango siren"),
    plain("jwt", "ey", `J${made(20)}`, ".ey", `J${made(40)}`, ".", made(43)),
  ];
}
