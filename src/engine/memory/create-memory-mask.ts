import type { MaskSecrets } from "../../spec/index.ts";
import type { SecretMask } from "../secrets/index.ts";
import type { ReadMaskKey } from "./mask-key.ts";

export interface MemoryMask {
  /** Equal secrets give equal masks. Throws a `PalimpsestError` where it cannot be told what is secret. */
  readonly mask: MaskSecrets;
  /** Says what is secret, and writes nothing: its masks are of this moment only. */
  readonly detect: MaskSecrets;
}

/** For looking only: what is masked with it is thrown away. */
const lookingKey = "looked at, and thrown away";

/** Masks by the engine's rules, loaded with the first text. The key is read when there is something to mask. */
export function createMemoryMask(readKey: ReadMaskKey): MemoryMask {
  let looking: Promise<SecretMask> | undefined;
  let masking: Promise<SecretMask> | undefined;

  async function load(key: string): Promise<SecretMask> {
    const { createSecretMask } = await import("../secrets/index.ts");
    return createSecretMask({ key });
  }

  async function loadKeyed(): Promise<SecretMask> {
    const key = await readKey();
    if (!key.ok) throw key.error;
    return load(key.value);
  }

  const detect: MaskSecrets = async (text) => {
    looking ??= load(lookingKey);
    return maskWith(await looking, text);
  };

  return {
    detect,
    async mask(text) {
      const found = await detect(text);
      if (found.masked === 0) return found;
      masking ??= loadKeyed().catch((error: unknown) => {
        masking = undefined;
        throw error;
      });
      return maskWith(await masking, text);
    },
  };
}

async function maskWith(mask: SecretMask, text: string) {
  const masked = await mask.mask(text);
  if (!masked.ok) throw masked.error;
  const { secrets } = masked.value;
  return {
    text: masked.value.text,
    masked: secrets.reduce((sum, { occurrences }) => sum + occurrences, 0),
    kinds: [...new Set(secrets.map(({ kind }) => kind))],
  };
}
