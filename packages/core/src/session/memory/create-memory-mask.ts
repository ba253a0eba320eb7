import type { MaskSecrets } from "../../spec/index.ts";
import type { SecretMask } from "../secrets/index.ts";
import { createKeyedMask } from "./keyed-mask.ts";
import type { ReadMaskKey } from "./mask-key.ts";

export interface MemoryMask {
  /** Throws a `PalimpsestError` where it cannot be told what is secret. */
  readonly mask: MaskSecrets;
  /** As `mask`, for looking only: writes nothing at all. */
  readonly detect: MaskSecrets;
}

/** The mask of a memory folder. */
export function createMemoryMask(readKey: ReadMaskKey): MemoryMask {
  const { mask, detect } = createKeyedMask(readKey);
  return { mask: throwing(mask), detect: throwing(detect) };
}

function throwing(mask: SecretMask["mask"]): MaskSecrets {
  return async (text) => {
    const masked = await mask(text);
    if (!masked.ok) throw masked.error;
    const { secrets } = masked.value;
    return {
      text: masked.value.text,
      masked: secrets.reduce((sum, { occurrences }) => sum + occurrences, 0),
      kinds: [...new Set(secrets.map(({ kind }) => kind))],
    };
  };
}
