import {
  type Disk,
  fail,
  type Ids,
  type LearnedStore,
  type MaskSecrets,
  ok,
  type Result,
  type Store,
} from "../../spec/index.ts";
import { folderOf, readWholeFile, writeWholeFile } from "../../stores/files/disk/whole-file.ts";
import type { SecretMask } from "../secrets/index.ts";

interface MemoryMask {
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

/** The key of masks: made when it is first asked for, and the same ever after. */
type ReadMaskKey = () => Promise<Result<string>>;

const minChars = 32;
const maxBytes = 4_096;
/** Under which name it is kept among what was learned. */
const maskKeyName = "mask-key";

function makeKey(ids: Ids): string {
  return `${ids.next("key")}${ids.next("key")}`;
}

/** A file that only its owner can read. Of processes that make it at once one succeeds, and all use what it made. */
export function createFileMaskKey({
  disk,
  path,
  ids,
}: {
  readonly disk: Disk;
  readonly path: string;
  readonly ids: Ids;
}): ReadMaskKey {
  async function stored(): Promise<Result<string>> {
    const bytes = await readWholeFile(disk, path, maxBytes);
    if (!bytes.ok) return bytes;
    const key = Buffer.from(bytes.value).toString("utf8").trim();
    return key.length >= minChars ? ok(key) : refuseDamaged(path);
  }

  return async () => {
    const present = await stored();
    if (present.ok || present.error.code !== "not-found") return present;
    const made = await disk.makeDirectory(folderOf(path));
    if (!made.ok) return made;
    const written = await writeWholeFile(disk, path, Buffer.from(`${makeKey(ids)}\n`), {
      temporary: `${path}.${ids.next("tmp")}`,
      durable: true,
      when: "absent",
    });
    return written.ok || written.error.code === "exists" ? stored() : written;
  };
}

/** Stores in folders share the data root's key with all else on this machine; others have one for all their machines. */
export function createStoreMaskKey({
  store,
  disk,
  home,
  ids,
}: {
  readonly store: Store;
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
  readonly ids: Ids;
}): ReadMaskKey {
  return store.folders
    ? createFileMaskKey({ disk, path: `${home}/mask-key`, ids })
    : createLearnedMaskKey(store.learned, ids);
}

/** For stores that are no files. Without anything that lasts, the key is good for as long as this is. */
export function createLearnedMaskKey(learned: LearnedStore | undefined, ids: Ids): ReadMaskKey {
  const own = makeKey(ids);
  return async () => {
    if (learned === undefined) return ok(own);
    const present = await learned.read(maskKeyName);
    if (!present.ok) return present;
    if (isKept(present.value)) return ok(present.value.key);
    const written = await learned.write(maskKeyName, { version: 1, key: own });
    return written.ok ? ok(own) : written;
  };
}

function isKept(value: unknown): value is { readonly key: string } {
  const { key } = (value ?? {}) as Record<string, unknown>;
  return typeof key === "string" && key.length >= minChars;
}

function refuseDamaged(path: string): Result<never> {
  return fail("corrupt", `${path} holds no key: secrets cannot be masked.`, {
    path,
    fix: "Put the key back from a backup, or delete the file: secrets then get other masks than before.",
  });
}
