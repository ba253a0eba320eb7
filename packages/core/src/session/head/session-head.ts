import { createHash } from "node:crypto";
import { deepFreeze } from "../../json/json-values.ts";
import { emptyValueOf } from "../../log/codec.ts";
import {
  type BlobRef,
  type Entry,
  type ErrorCode,
  type FlagValues,
  fail,
  type HeadPart,
  type Model,
  type ModelName,
  ok,
  type PalimpsestError,
  type RequestPatch,
  type Result,
  type SessionHeader,
  type Store,
  type TextBlock,
  type Tool,
} from "../../spec/index.ts";
import {
  checkFields,
  checkTools,
  type RequestHead,
  toDefinition,
  toSystem,
  withUnlimited,
} from "./request-head.ts";

/** The model where nobody names one. */
export const defaultModel = "claude-opus-4-5";

/** A caller's options for the beginning of every request. */
export interface HeadOptions {
  /** A name, or a model that has one. */
  readonly model?: ModelName | Pick<Model, "name" | "betas">;
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly Tool[];
  /** Fields that every request has besides, such as `thinking`, `tool_choice` or `max_tokens`. */
  readonly request?: RequestPatch;
  /** A resumed session sends the system prompt and tools it began with: those given here are for a new one. */
  readonly keepsHead?: boolean;
  /** Blocks and fields of answers that nobody knows are sent back as they came: whoever added them knows the API. */
  readonly keepsUnknownBlocks?: boolean;
}

/** The header of requests, once an entry is read: a later one counts. */
export function headerAfter(header: SessionHeader | undefined, entry: Entry): SessionHeader | undefined {
  if (entry.kind === "session") return { ...header, ...entry.session };
  if (!header || entry.kind !== "note" || entry.note.topic !== "head") return header;
  const { topic: _topic, ...head } = entry.note;
  return { ...header, ...head };
}

/** A value that a session began with and that is gone. */
export interface LostValue {
  readonly part: HeadPart;
  readonly blob: string;
  /** The caller gives another one. */
  readonly isGiven: boolean;
  /** For a person: what is gone, and what is sent instead. */
  readonly message: string;
}

/** The head a session began with, read back. */
export interface StoredHead {
  readonly header?: SessionHeader;
  readonly system?: readonly TextBlock[];
  readonly traits?: readonly Tool[];
  readonly fields?: RequestPatch;
  readonly flags?: Partial<FlagValues>;
  /** The part that could not be read, for a person. */
  readonly problem?: string;
  readonly lost?: readonly LostValue[];
}

const partNames: Readonly<Record<HeadPart, string>> = {
  system: "system prompt",
  tools: "list of tools",
  fields: "list of request fields",
  flags: "list of flags",
};

/** With these a value is gone, however often it is read. With any other it may be there, and cannot be read now. */
const goneCodes: ReadonlySet<ErrorCode> = new Set([
  "not-found",
  "corrupt",
  "collected",
  "is-directory",
  "not-directory",
  "invalid-path",
  "too-large",
]);

/**
 * Reads what a session began with. A value that cannot be read, whatever the reason, is replaced by what the caller
 * gives; one that is lost or damaged, or has something else in its place, by an empty one where nothing is given: `lost`
 * says so, with the reason. A value that may still be there, and is not given, refuses the session, unless that is only
 * read: requests would go without it though nothing is lost.
 */
export async function readStoredHead(
  store: Store,
  session: string,
  header: SessionHeader | undefined,
  options: HeadOptions & { readonly readOnly?: boolean },
): Promise<Result<StoredHead>> {
  if (!header) {
    const problem =
      "The first line of the session is damaged: its model, system prompt and tools are not known. Give them anew.";
    return ok({ problem });
  }
  let problem: string | undefined;
  const lost: LostValue[] = [];
  const read = async <Value>(part: HeadPart, given: unknown): Promise<Result<Value | undefined>> => {
    const ref = header[part];
    if (!ref) return ok(undefined);
    const value = await readValue<Value>(store, session, ref);
    if (value.ok) return value;
    const isGiven = given !== undefined;
    const { code, message: why } = value.error;
    const isGone = goneCodes.has(code);
    if (isGone || isGiven || part === "flags") {
      const message = lostMessage({ part, why, isGiven, isGone, session });
      lost.push({ part, blob: ref.blob, isGiven, message });
      return ok(undefined);
    }
    if (!options.readOnly) return refuseUnreadable(part, session, value.error);
    problem = `Part of what the session began with cannot be read: ${why}`;
    return ok(undefined);
  };
  const system = await read<readonly TextBlock[]>("system", options.system);
  if (!system.ok) return system;
  const traits = await read<readonly Tool[]>("tools", options.tools);
  if (!traits.ok) return traits;
  const fields = await read<RequestPatch>("fields", options.request);
  if (!fields.ok) return fields;
  const flags = await read<Partial<FlagValues>>("flags", undefined);
  if (!flags.ok) return flags;
  return ok({
    header,
    system: system.value,
    traits: traits.value,
    fields: fields.value,
    flags: flags.value,
    problem,
    lost,
  });
}

async function readValue<Value>(store: Store, session: string, ref: BlobRef): Promise<Result<Value>> {
  const known = ref.text ?? emptyValueOf(ref.blob);
  const bytes = known === undefined ? await store.blobs.get(session, ref.blob) : ok(Buffer.from(known));
  if (!bytes.ok) return bytes;
  try {
    return ok(JSON.parse(Buffer.from(bytes.value).toString("utf8")) as Value);
  } catch (cause) {
    return fail("corrupt", `What stands for blob ${ref.blob} is not JSON.`, { path: ref.blob, cause });
  }
}

interface LostPart {
  readonly part: HeadPart;
  readonly why: string;
  readonly isGiven: boolean;
  readonly isGone: boolean;
  readonly session: string;
}

function lostMessage({ part, why, isGiven, isGone, session }: LostPart): string {
  const is = isGone ? "is lost" : "cannot be read";
  const what = `The ${partNames[part]} that session ${session} began with ${is}: ${why.replace(/\.?$/, ".")}`;
  if (isGiven) return `${what} The one given now is used in its place.`;
  if (part === "flags") return `${what} The flags set now hold.`;
  return `${what} Requests are sent without it. Give it anew when the session is opened, or put the blob back from a backup; “palimpsest sessions repair ${session}” looks for a copy.`;
}

function refuseUnreadable(
  part: "system" | "tools" | "fields",
  session: string,
  error: PalimpsestError,
): Result<never> {
  const { code, message, path, retryable, facts, fix } = error;
  const option = part === "fields" ? "request" : part;
  return fail(
    code,
    `The ${partNames[part]} that session ${session} began with cannot be read, and may still be there: ${message}`,
    {
      ...(path !== undefined && { path }),
      fix: `${fix ? `${fix} ` : ""}Open the session again once it can be read, or give the option “${option}”.`,
      retryable,
      facts,
      cause: error,
    },
  );
}

/** A resumed session sends what it began with, unless the caller asks for something else. */
export function headOf(stored: StoredHead, given: HeadOptions): Result<RequestHead> {
  const options = copyOf(given.keepsHead ? withoutKept(stored, given) : given);
  const system = options.system === undefined ? (stored.system ?? []) : toSystem(options.system);
  const tools = options.tools === undefined ? ok(stored.traits ?? []) : checkTools(options.tools);
  if (!tools.ok) return tools;
  const fields = options.request === undefined ? ok(stored.fields ?? {}) : checkFields(options.request);
  if (!fields.ok) return fields;
  const { name: named, betas }: Partial<Pick<Model, "name" | "betas">> =
    typeof options.model === "string" ? { name: options.model } : (options.model ?? {});
  const { header } = stored;
  return ok(
    deepFreeze({
      model: named ?? header?.model ?? defaultModel,
      system,
      tools: tools.value.map(toDefinition),
      traits: tools.value.map(withUnlimited),
      fields: fields.value,
      ...(betas && { modelBetas: [...betas] }),
      ...(given.keepsUnknownBlocks && { keepsUnknownBlocks: true }),
      ...(header && { former: formerDigests(header, tools.value) }),
    }),
  );
}

/** Parts of the session's own head are not given anew. */
function withoutKept({ system, traits }: StoredHead, given: HeadOptions): HeadOptions {
  return { ...given, ...(system && { system: undefined }), ...(traits && { tools: undefined }) };
}

/** Later changes of a caller's objects have no effect. */
function copyOf({ model, ...rest }: HeadOptions): HeadOptions {
  const { system, tools, request } = JSON.parse(JSON.stringify(rest)) as HeadOptions;
  return { model, system, tools, request };
}

/** The digests of what a session began with, where they say that something else is sent now. */
function formerDigests(header: SessionHeader, traits: readonly Tool[]): RequestHead["former"] {
  const { system, tools } = header;
  const isSameTools = tools?.blob === createHash("sha256").update(JSON.stringify(traits)).digest("hex");
  return {
    ...(system && { systemDigest: system.blob }),
    ...(tools && !isSameTools && { toolsDigest: tools.blob }),
  };
}
