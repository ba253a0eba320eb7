import { createSecretMask, type SecretMask } from "../../../engine/secrets/index.ts";
import type { Ids, MaskSecrets, Store } from "../../../spec/index.ts";

/** Under which name the key is kept that makes equal secrets equal masks, for all projects together. */
export const maskKeyName = "secret-mask";

/** Takes secrets out of memories. Throws where it cannot be told whether there are any: nothing is written then. */
export function createMask({ learned }: Pick<Store, "learned">, ids: Ids): MaskSecrets {
  let made: Promise<SecretMask> | undefined;

  async function make(): Promise<SecretMask> {
    const stored = await learned?.read(maskKeyName);
    const known = stored?.ok ? keyOf(stored.value) : undefined;
    if (known !== undefined) return createSecretMask({ key: known });
    const key = `${ids.next("key")}${ids.next("key")}`;
    await learned?.write(maskKeyName, { version: 1, key });
    return createSecretMask({ key });
  }

  return async (text) => {
    made ??= make();
    const masked = await (await made).mask(text);
    if (!masked.ok) throw masked.error;
    const { secrets } = masked.value;
    return {
      text: masked.value.text,
      masked: secrets.reduce((sum, { occurrences }) => sum + occurrences, 0),
      kinds: [...new Set(secrets.map(({ kind }) => kind))],
    };
  };
}

const minKeyChars = 32;

function keyOf(value: unknown): string | undefined {
  const { key } = (value ?? {}) as { readonly key?: unknown };
  return typeof key === "string" && key.length >= minKeyChars ? key : undefined;
}
