import { createHmac } from "node:crypto";
import { fail, ok, type Result } from "../../spec/index.ts";
import { type Detector, loadDetector } from "./detector.ts";
import { tokenKinds } from "./known-tokens.ts";
import { ownFindings } from "./own-rules.ts";
import { readingsOf } from "./readings.ts";
import type { SecretFinding } from "./secret-finding.ts";
import { toSpelledPattern } from "./spelled.ts";

export interface MaskedSecret {
  readonly kind: string;
  /** What stands in its place: equal for equal secrets. */
  readonly mask: string;
  readonly occurrences: number;
}

export interface MaskedText {
  readonly text: string;
  /** What was found, in the order in which it was looked for; empty where nothing was. */
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

/** What a mask shows, and what is never taken for a secret. */
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
