import { createHmac } from "node:crypto";
import { fail, ok, type Result } from "../../spec/index.ts";
import { assignedSecrets } from "./assigned-secrets.ts";
import { type Detector, loadDetector } from "./detector.ts";
import { isPlaceholder, knownTokens, looksRandom, type SecretFinding, tokenKinds } from "./known-tokens.ts";

export interface MaskedSecret {
  readonly kind: string;
  /** The text in its place: equal for equal secrets. */
  readonly mask: string;
  readonly occurrences: number;
}

export interface MaskedText {
  readonly text: string;
  /** Secrets found, in the order in which they were looked for; empty where there were none. */
  readonly secrets: readonly MaskedSecret[];
}

export interface SecretMask {
  /** The text without secrets. Fails where it cannot be told whether there are any: then nothing must be written. */
  mask(text: string): Promise<Result<MaskedText>>;
}

export interface SecretMaskOptions {
  /** Keys the masks: without it nobody can find a secret by trying. The same key gives the same masks, always. */
  readonly key: string | Uint8Array;
  /** Absent: the rules of secretlint. */
  readonly load?: () => Promise<Detector>;
}

const minKeyBytes = 16;
const minSecretChars = 4;

/** Masks, which are never taken for secrets. */
const masks = /\[secret:[a-z0-9-]+:[0-9a-f]{4,}\]/g;

/** Found values can uncover others behind them; more rounds than this never were needed. */
const maxRounds = 5;

/**
 * Masks secrets by the rules of secretlint and by our own, in every spelling: escaped, encoded or as they are. A secret
 * that is found once is masked wherever it stands.
 */
export function createSecretMask({ key, load = loadDetector }: SecretMaskOptions): SecretMask {
  if (Buffer.byteLength(key) < minKeyBytes) {
    throw new RangeError(`The key of a secret mask needs at least ${minKeyBytes} bytes.`);
  }
  let detector: Promise<Detector> | undefined;
  function toMask({ kind, value }: SecretFinding): string {
    const digest = createHmac("sha256", key).update(canonical(value)).digest("hex");
    return `[secret:${tokenKinds.has(kind) ? kind : "credential"}:${digest.slice(0, 8)}]`;
  }

  async function findingsIn(text: string, detect: Detector): Promise<readonly SecretFinding[]> {
    const found: SecretFinding[] = [];
    for (const reading of readingsOf(text)) {
      const shown = reading.replaceAll(masks, "<masked>");
      found.push(...(await detect(shown)), ...ownFindings(shown));
    }
    const values = new Map<string, SecretFinding>();
    for (const finding of found) {
      if (finding.value.trim().length >= minSecretChars && !values.has(finding.value))
        values.set(finding.value, finding);
    }
    return [...values.values()].sort((one, other) => other.value.length - one.value.length);
  }

  async function maskAll(text: string): Promise<MaskedText> {
    detector ??= load();
    const detect = await detector;
    const secrets = new Map<string, MaskedSecret>();
    let masked = text;
    for (let round = 0; round < maxRounds; round += 1) {
      const before = masked;
      for (const finding of await findingsIn(masked, detect)) {
        const { kind } = finding;
        const mask = toMask(finding);
        let occurrences = 0;
        masked = outsideMasks(masked, (part) =>
          part.replace(toSpelledPattern(finding.value), () => {
            occurrences += 1;
            return mask;
          }),
        );
        if (occurrences === 0) continue;
        secrets.set(mask, { kind, mask, occurrences: occurrences + (secrets.get(mask)?.occurrences ?? 0) });
      }
      if (masked === before) break;
    }
    return { text: masked, secrets: [...secrets.values()] };
  }

  return {
    async mask(text) {
      try {
        return ok(await maskAll(text));
      } catch (cause) {
        detector = undefined;
        return fail("io", "The text could not be searched for secrets.", {
          fix: "Check that @secretlint/core and its preset are installed; nothing was written.",
          cause,
        });
      }
    },
  };
}

/** Line ends, indents and escapes do not make two secrets of one. */
function canonical(value: string): string {
  return value.replaceAll(/\\+[nrt]|[\s\\]/g, "");
}

function outsideMasks(text: string, change: (part: string) => string): string {
  const kept = text.match(masks) ?? [];
  return text
    .split(masks)
    .map((part, index) => `${change(part)}${kept[index] ?? ""}`)
    .join("");
}

/**
 * The readings of a text: as it is, and as it would be once what is escaped in it is not. A secret that can be found in
 * any of them is found.
 */
function readingsOf(text: string): readonly string[] {
  const readings = new Set([text]);
  let reading = text;
  for (let level = 0; level < maxLevels && reading.includes("\\"); level += 1) {
    reading = reading.replaceAll(/\\(u[0-9a-fA-F]{4}|[nrt"'\x60\\/])/g, (_, escaped: string) =>
      unescapeCharacter(escaped),
    );
    readings.add(reading);
  }
  if (/%[0-9a-fA-F]{2}/.test(text)) {
    const once = decodePercent(text);
    readings.add(once).add(decodePercent(once));
  }
  if (/&(?:quot|apos|amp|lt|gt|#\w+);/.test(text)) readings.add(decodeEntities(text));
  if (text.includes("\r")) readings.add(text.replaceAll(/\r\n?/g, "\n"));
  return [...readings];
}

/** JSON in JSON in JSON. */
const maxLevels = 3;

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescapeCharacter(escaped: string): string {
  if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return controls[escaped] ?? escaped;
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-fA-F])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const named: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(quot|apos|amp|lt|gt|#\d{1,4}|#x[0-9a-f]{1,4});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return named[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return String.fromCharCode(code);
  });
}

/** However its lines are ended or escaped; where its end is missing, as far as it looks like a key. */
const privateKeys =
  /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN)[\s\S]){0,20000}?-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\+[nrt"']|%0[AaDd]|&#1[03];|[A-Za-z0-9+/=\s:,.-]){0,20000}/g;
const puttyKey = /PuTTY-User-Key-File-\d:[\s\S]{0,20000}?Private-MAC:\s*[0-9a-f]+/g;

/** `scheme://user:password@host`; the password may hold almost anything. */
const connection =
  /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'<>\x60\\]{0,100}:([^\s/"'<>\x60\\]{1,300})@(?=[A-Za-z0-9[%_-])/gi;
/** A token in the place of the user. */
const userToken = /\bhttps?:\/\/([A-Za-z0-9_.~-]{16,300})(?::x-oauth-basic)?@(?=[A-Za-z0-9])/gi;
const bearer = /\b(?:bearer|token|apikey)\s+((?:[A-Za-z0-9\-._~+/]|%[0-9A-Fa-f]{2}){8,}={0,2})/gi;
const basic = /\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9])/gi;
const npmToken = /_(?:authToken|auth|password)\s*=\s*["']?([^\s"'$]{6,})/g;
const queryToken =
  /[?&](?:access_token|api_key|apikey|auth|key|password|secret|sig|signature|token|x-amz-signature|x-amz-security-token)=([^\s&"'<>\x60\\#]{8,})/gi;

/** Rules of our own: what the detector does not look for, or only in files of certain names. */
function ownFindings(text: string): readonly SecretFinding[] {
  return [
    ...findWhole("private-key", text, privateKeys),
    ...findWhole("private-key", text, puttyKey),
    ...knownTokens.flatMap(([kind, pattern]) => group(kind, text, pattern)),
    ...group("connection-string", text, connection).filter(isReal),
    ...group("token", text, userToken).filter(({ value }) => looksRandom(value)),
    ...group("bearer", text, bearer).filter(({ value }) => looksRandom(value) && isReal({ value })),
    ...group("basic-auth", text, basic).filter(({ value }) => isCredential(value)),
    ...group("token", text, npmToken).filter(isReal),
    ...group("token", text, queryToken).filter(({ value }) => looksRandom(value) && isReal({ value })),
    ...assignedSecrets(text),
  ];
}

const isReal = ({ value }: { readonly value: string }) => !isPlaceholder(value);

function isCredential(base64: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(base64, "base64").toString("latin1"));
}

function findWhole(kind: string, text: string, pattern: RegExp): readonly SecretFinding[] {
  return [...text.matchAll(pattern)].map(([value]) => ({ kind, value }));
}

/** The first group where the rule has one, else all of it. */
function group(kind: string, text: string, pattern: RegExp): readonly SecretFinding[] {
  return [...text.matchAll(pattern)].map(([all, inner]) => ({ kind, value: inner ?? all }));
}

/** Longer values are looked for as they are: their spelling was seen where they were found. */
const maxSpelledChars = 12_000;

/**
 * A pattern for a value however it was quoted: as it is, with its quotes, slashes and line ends escaped once or more, as
 * JSON, in a URL or in HTML.
 */
function toSpelledPattern(value: string): RegExp {
  const text = value.replaceAll("\r\n", "\n");
  if (text.length > maxSpelledChars) return new RegExp(escapePattern(value), "g");
  const pattern = [...text].map(spellCharacter).join("");
  return new RegExp(text.length < minFreeChars ? standalonePattern(pattern) : pattern, "g");
}

/** A shorter value is masked where it stands alone: it may be a part of a word. */
const minFreeChars = 12;

/** Behind an escaped line end it stands alone too. */
function standalonePattern(pattern: string): string {
  return String.raw`(?<![A-Za-z0-9](?<!\\[nrt]))(?<!%[0-9A-F](?=[0-9A-F]))${pattern}(?![A-Za-z0-9])`;
}

function spellCharacter(character: string): string {
  if (character === "\n")
    return String.raw`(?:\\*\r?\n|\\+r\\+n|\\+n|\\+r|%0[Dd]%0[Aa]|%0[Aa]|&#(?:10|x[aA]);)[ \t]*`;
  const code = character.codePointAt(0) ?? 0;
  if (/[A-Za-z0-9_\-.~]/.test(character)) return escapePattern(character);
  const hex = code.toString(16);
  const forms = [
    String.raw`\\*${escapePattern(character)}`,
    ...(code <= 0xffff ? [String.raw`\\+[uU]${eitherCase(hex.padStart(4, "0"))}`] : []),
    ...(code < 0x80
      ? [`%${eitherCase(hex.padStart(2, "0"))}`, `%25${eitherCase(hex.padStart(2, "0"))}`]
      : []),
    `&#(?:${code}|[xX]${eitherCase(hex)});`,
    ...(entities.get(character) ?? []),
  ];
  return `(?:${forms.join("|")})`;
}

const entities: ReadonlyMap<string, readonly string[]> = new Map([
  ['"', ["&quot;"]],
  ["'", ["&apos;"]],
  ["&", ["&amp;"]],
  ["<", ["&lt;"]],
  [">", ["&gt;"]],
  [" ", [String.raw`\+`]],
]);

const eitherCase = (hex: string) => hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
