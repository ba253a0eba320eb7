import type { SecretMask } from "../secrets/index.ts";
import type { ReadMaskKey } from "./mask-key.ts";

type Mask = SecretMask["mask"];

export interface KeyedMask {
  /** Equal secrets give equal masks. */
  readonly mask: Mask;
  /** Says what is secret, and writes nothing: its masks are of this moment only. */
  readonly detect: Mask;
}

/** For looking only: what is masked with it is thrown away. */
const lookingKey = "looked at, and thrown away";

/** Masks by the engine's rules, loaded with the first text. The key is read, and made, when there is something to mask. */
export function createKeyedMask(readKey: ReadMaskKey): KeyedMask {
  let looking: Promise<Mask> | undefined;
  let masking: Promise<Mask> | undefined;

  async function load(key: string): Promise<Mask> {
    const { createSecretMask } = await import("../secrets/index.ts");
    return createSecretMask({ key }).mask;
  }

  const detect: Mask = async (text) => {
    looking ??= load(lookingKey);
    return (await looking)(text);
  };

  return {
    detect,
    async mask(text) {
      const found = await detect(text);
      if (!found.ok || found.value.secrets.length === 0) return found;
      if (masking === undefined) {
        const key = await readKey();
        if (!key.ok) return key;
        masking = load(key.value);
      }
      return (await masking)(text);
    },
  };
}
