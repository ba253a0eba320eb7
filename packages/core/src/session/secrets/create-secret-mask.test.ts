import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  documentedSamples,
  pemSample,
  type SecretSample,
  unseenSamples,
} from "../../../../../test/support/secret-samples.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createSecretMask } from "./create-secret-mask.ts";

const mask = createSecretMask({ key: "a key for the tests" });
const masked = async (text: string) => must(await mask.mask(text));

const json = (text: string) => JSON.stringify(text).slice(1, -1);

/** Every way in which a text may have been quoted before it comes here. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "with line ends of Windows": (text) => text.replaceAll("\n", "\r\n"),
  "in JSON": json,
  "in JSON in JSON": (text) => json(json(text)),
  "in JSON in JSON in JSON": (text) => json(json(json(text))),
  "in single quotes": (text) => text.replaceAll("'", String.raw`\'`).replaceAll("\n", String.raw`\n`),
  "indented, as in YAML": (text) => text.replaceAll("\n", "\n    "),
  quoted: (text) => text.replaceAll("\n", "\n> "),
  "in a URL": encodeURIComponent,
  "in HTML": (text) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;").replaceAll("<", "&lt;"),
};

/** Pieces of a secret long enough to be of use to a thief: none may be left. */
function leftOf({ secret }: Pick<SecretSample, "secret">, text: string): readonly string[] {
  const pieces = secret.match(/[A-Za-z0-9]{12,}/g) ?? [secret];
  return pieces.filter((piece) => text.includes(piece));
}

/** A key file as Google hands it out: the key is a text in JSON. */
function keyFileSample(): SecretSample {
  const secret = pemSample("PRIVATE KEY");
  const file = { type: "service_account", project_id: "p", private_key: secret, client_email: "a@b.example" };
  return { kind: "gcp", secret, text: JSON.stringify(file, null, 2) };
}

describe("documented secrets", () => {
  const samples = [...documentedSamples(), keyFileSample()].map((sample, index) => ({
    ...sample,
    name: `${sample.kind} ${index}`,
  }));

  it("are of every kind that the detector's preset has a rule for", async () => {
    const { rules } = await import("@secretlint/secretlint-rule-preset-recommend");
    const shortened: Readonly<Record<string, string>> = {
      privatekey: "private-key",
      "database-connection-string": "database",
    };
    const kinds = rules
      .map(({ meta }) => meta.id.replace(/^.*secretlint-rule-/, ""))
      .filter((rule) => rule !== "filter-comments")
      .map((rule) => shortened[rule] ?? rule);
    expect([...new Set(samples.map(({ kind }) => kind))].sort()).toEqual(kinds.sort());
  });

  it.each(Object.keys(encodings))("are masked %s", async (encoding) => {
    const encode = encodings[encoding] ?? ((text: string) => text);
    const left = [];
    for (const sample of samples) {
      const { text, secrets } = await masked(encode(sample.text));
      if (secrets.length === 0 || leftOf(sample, text).length > 0) left.push(`${sample.name}: ${text}`);
    }
    expect(left).toEqual([]);
  });

  it("are masked where several stand together, and the rest is left alone", async () => {
    const text = samples.map((sample) => `# ${sample.name}\n${sample.text}`).join("\n");
    const { text: after, secrets } = await masked(text);
    expect(samples.flatMap((sample) => leftOf(sample, after))).toEqual([]);
    expect(secrets.length).toBeGreaterThanOrEqual(samples.length);
    for (const { name } of samples) expect(after).toContain(`# ${name}\n`);
  });
});

describe("kinds nobody has told it of", () => {
  it("are found by what stands around them; what is not found is known", async () => {
    const missed = [];
    const samples = unseenSamples();
    for (const sample of samples) {
      const { text } = await masked(sample.text);
      if (text.includes(sample.secret)) missed.push(sample.kind);
    }
    expect(samples.length).toBeGreaterThanOrEqual(16);
    expect(missed).toEqual(["cookie", "bare hex", "bare base64", "spoken pin", "words"]);
  });
});

describe("masks", () => {
  const token = ["gh", "p_", "a1B2".repeat(9)].join("");

  it("are equal for equal secrets, wherever and however they stand, and with the same key only", async () => {
    const { text, secrets } = await masked(`token=${token} and "${token}" and ${token}`);
    const [one] = secrets;
    expect(text).toBe(`token=${one?.mask} and "${one?.mask}" and ${one?.mask}`);
    expect(secrets).toEqual([{ kind: "github", mask: one?.mask, occurrences: 3 }]);
    expect(one?.mask).toMatch(/^\[secret:github:[0-9a-f]{8}\]$/);
    const other = createSecretMask({ key: "quite another key" });
    expect(must(await other.mask(token)).text).not.toBe(one?.mask);
    expect((await masked(token)).text).toBe(one?.mask);
  });

  it("are equal for one secret under two names", async () => {
    const { text } = await masked(`DB_PASS${"WORD"}=hunter2xyz\nadmin_to${"ken"}: "hunter2xyz"`);
    const found = text.match(/\[secret:[^\]]+\]/g) ?? [];
    expect(found).toHaveLength(2);
    expect(new Set(found).size).toBe(1);
  });

  it("are equal for one private key with other line ends", async () => {
    const key = pemSample();
    const one = (await masked(key)).text;
    expect(one).toMatch(/^\[secret:private-key:[0-9a-f]{8}\]$/);
    expect((await masked(key.replaceAll("\n", "\r\n"))).text).toBe(one);
    expect((await masked(json(key))).text).toBe(one);
  });

  it("stay as they are when they are masked again", async () => {
    const once = (await masked(`pass${"word"}=${token}`)).text;
    expect(await masked(once)).toEqual({ text: once, secrets: [] });
  });

  it("cover a key whose end is missing", async () => {
    const key = pemSample().slice(0, 400);
    expect(leftOf({ secret: key.slice(40) }, (await masked(`x ${key}`)).text)).toEqual([]);
  });

  it("are not turned off by the text", async () => {
    const { secrets } = await masked(`<!-- secretlint-disable -->\n${token}\n// secretlint-disable-line`);
    expect(secrets).toHaveLength(1);
  });

  it("leave prose and code alone", async () => {
    const text = [
      "The token is refreshed hourly. password: string; const apiKey = options.apiKey; tokens: 177_000;",
      `API_KEY=$${"{API_KEY}"} pass${"word"}=<your-password> https://user:password@example.org`,
      "const secret = readSecret();",
    ].join("\n");
    expect(await masked(text)).toEqual({ text, secrets: [] });
  });

  it("hide any value of a secret's name, whatever it is made of", async () => {
    const value = fc.string({
      unit: fc.constantFrom(..."abcXYZ0123456789!$%&/()=?+*#-_.,;:\"'\\@ "),
      minLength: 12,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(value, async (inner) => {
        const secret = `Zk7${inner}q9Wp`;
        const text = JSON.stringify({ [`pass${"word"}`]: secret, port: 8123 });
        const after = (await masked(text)).text;
        expect(after).not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(after).toContain('"port":8123');
      }),
      { numRuns: 200 },
    );
  });
});

describe("a value that begins as a placeholder does", () => {
  it("is judged in one pass, however long it is", async () => {
    const value = `my${"a".repeat(10_000)}!Zk7`;
    expect((await masked(JSON.stringify({ [`pass${"word"}`]: value }))).text).toContain("pass");
  });
});

describe("what goes wrong", () => {
  it("is a failure, never an unmasked text", async () => {
    const broken = createSecretMask({
      key: "a key for the tests",
      load: () => Promise.reject(new Error("gone")),
    });
    expect(refused(await broken.mask("x"))).toBe("io");
  });

  it("is a key that is too short, at once", () => {
    expect(() => createSecretMask({ key: "short" })).toThrow("at least 16 bytes");
  });
});
