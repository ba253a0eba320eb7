import { createHash } from "node:crypto";
import { deepFreeze } from "../context/deep-freeze.ts";
import {
  type BlobRef,
  type EntryDraft,
  type FlagValues,
  type Model,
  ok,
  type RequestPatch,
  type Result,
  type SessionHead,
  type SessionHeader,
  type Store,
  type TextBlock,
  type Tool,
} from "../spec/index.ts";
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

/** What a caller may ask every request to begin with. */
export interface HeadOptions {
  /** A name, or a model that has one. */
  readonly model?: string | Pick<Model, "name">;
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly Tool[];
  /** Fields that every request has besides, such as `thinking`, `tool_choice` or `max_tokens`. */
  readonly request?: RequestPatch;
  /** A resumed session sends the system prompt and tools it began with: those given here are for a new one. */
  readonly keepsHead?: boolean;
}

/** What shapes the prefix is stored byte for byte, so that resume and forks send the same. */
export async function createHeader(
  store: Store,
  session: string,
  cwd: string,
  head: RequestHead,
  prefixFlags: Partial<FlagValues>,
): Promise<Result<SessionHeader>> {
  const stored = await storeHead(store, session, head);
  if (!stored.ok) return stored;
  const flags = await store.blobs.put(session, Buffer.from(JSON.stringify(prefixFlags)));
  if (!flags.ok) return flags;
  return ok({ id: session, project: "", cwd, ...stored.value, flags: flags.value });
}

/** The note that tells of another head than the session had so far; `null` where it is the same. */
export async function headChange(
  store: Store,
  session: string,
  header: SessionHeader | undefined,
  head: RequestHead,
): Promise<Result<EntryDraft | null>> {
  const stored = await storeHead(store, session, head);
  if (!stored.ok) return stored;
  const { model, system, tools, fields } = stored.value;
  const isSame =
    header?.model === model &&
    header?.system?.blob === system?.blob &&
    header?.tools?.blob === tools?.blob &&
    header?.fields?.blob === fields?.blob;
  return ok(isSame ? null : { kind: "note", note: { topic: "head", ...stored.value } });
}

async function storeHead(store: Store, session: string, head: RequestHead): Promise<Result<SessionHead>> {
  const put = (value: unknown) => store.blobs.put(session, Buffer.from(JSON.stringify(value)));
  const system = await put(head.system);
  if (!system.ok) return system;
  const tools = await put(head.traits);
  if (!tools.ok) return tools;
  const fields = await put(head.fields);
  if (!fields.ok) return fields;
  return ok({ model: head.model, system: system.value, tools: tools.value, fields: fields.value });
}

/** What a session began with, read back. */
export interface StoredHead {
  readonly header?: SessionHeader;
  readonly system?: readonly TextBlock[];
  readonly traits?: readonly Tool[];
  readonly fields?: RequestPatch;
  readonly flags?: Partial<FlagValues>;
  /** What could not be read, for a person. */
  readonly problem?: string;
}

/**
 * Reads what a session began with. What the caller gives anew is not needed; what else is gone makes a session that is
 * only read do without, and refuses one that would go on without its prompt.
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
  const read = async <Value>(
    ref: BlobRef | undefined,
    isNeeded: boolean,
  ): Promise<Result<Value | undefined>> => {
    if (!ref || !isNeeded) return ok(undefined);
    const bytes =
      ref.text === undefined ? await store.blobs.get(session, ref.blob) : ok(Buffer.from(ref.text));
    if (bytes.ok) return ok(JSON.parse(Buffer.from(bytes.value).toString("utf8")) as Value);
    if (!options.readOnly && !options.keepsHead) return bytes;
    problem = `Part of what the session began with cannot be read: ${bytes.error.message}`;
    return ok(undefined);
  };
  const system = await read<readonly TextBlock[]>(
    header.system,
    options.keepsHead || options.system === undefined,
  );
  if (!system.ok) return system;
  const traits = await read<readonly Tool[]>(header.tools, options.keepsHead || options.tools === undefined);
  if (!traits.ok) return traits;
  const fields = await read<RequestPatch>(header.fields, options.request === undefined);
  if (!fields.ok) return fields;
  const flags = await read<Partial<FlagValues>>(header.flags, true);
  return ok({
    header,
    system: system.value,
    traits: traits.value,
    fields: fields.value,
    flags: flags.ok ? flags.value : undefined,
    problem,
  });
}

/** A resumed session sends what it began with, unless the caller asks for something else. */
export function headOf(stored: StoredHead, given: HeadOptions): Result<RequestHead> {
  const options = copyOf(given.keepsHead ? withoutKept(stored, given) : given);
  const system = options.system === undefined ? (stored.system ?? []) : toSystem(options.system);
  const tools = options.tools === undefined ? ok(stored.traits ?? []) : checkTools(options.tools);
  if (!tools.ok) return tools;
  const fields = options.request === undefined ? ok(stored.fields ?? {}) : checkFields(options.request);
  if (!fields.ok) return fields;
  const named = typeof options.model === "string" ? options.model : options.model?.name;
  const { header } = stored;
  return ok(
    deepFreeze({
      model: named ?? header?.model ?? defaultModel,
      system,
      tools: tools.value.map(toDefinition),
      traits: tools.value.map(withUnlimited),
      fields: fields.value,
      ...(header && { former: formerDigests(header, tools.value) }),
    }),
  );
}

/** What is there of the session's own is not given anew. */
function withoutKept({ system, traits }: StoredHead, given: HeadOptions): HeadOptions {
  return { ...given, ...(system && { system: undefined }), ...(traits && { tools: undefined }) };
}

/** What a caller does to his objects later changes nothing. */
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
