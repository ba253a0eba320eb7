import { createHash } from "node:crypto";
import {
  type BlobRef,
  type Entry,
  ok,
  type RequestPatch,
  type Result,
  type SessionHeader,
  type Store,
  type TextBlock,
  type Tool,
} from "../spec/index.ts";
import { checkFields, checkTools, type RequestHead, toDefinition, toSystem } from "./request-head.ts";

/** The model where nobody names one. */
export const defaultModel = "claude-opus-4-5";

/** What a caller may ask every request to begin with. */
export interface HeadOptions {
  readonly model?: string;
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly Tool[];
  /** Fields that every request has besides, such as `thinking`, `tool_choice` or `max_tokens`. */
  readonly request?: RequestPatch;
}

export async function headerOf(store: Store, session: string): Promise<Result<SessionHeader | undefined>> {
  let header: SessionHeader | undefined;
  const visit = (entry: Entry) => {
    if (entry.kind === "session") header ??= entry.session;
  };
  const scanned = await store.logs.scan(session, visit, { limit: 1 });
  return scanned.ok ? ok(header) : scanned;
}

/** What shapes the prefix is stored byte for byte, so that resume and forks send the same. */
export async function createHeader(
  store: Store,
  session: string,
  cwd: string,
  head: RequestHead,
): Promise<Result<SessionHeader>> {
  const system = await store.blobs.put(session, Buffer.from(JSON.stringify(head.system)));
  if (!system.ok) return system;
  const tools = await store.blobs.put(session, Buffer.from(JSON.stringify(head.traits)));
  if (!tools.ok) return tools;
  const header = {
    id: session,
    project: "",
    cwd,
    model: head.model,
    system: system.value,
    tools: tools.value,
  };
  if (Object.keys(head.fields).length === 0) return ok(header);
  const fields = await store.blobs.put(session, Buffer.from(JSON.stringify(head.fields)));
  return fields.ok ? ok({ ...header, fields: fields.value }) : fields;
}

/** A resumed session sends what it began with, unless the caller asks for something else. */
export async function headOf(
  store: Store,
  session: string,
  header: SessionHeader | undefined,
  options: HeadOptions,
): Promise<Result<RequestHead>> {
  const stored = async <Value>(ref: BlobRef | undefined): Promise<Result<Value | undefined>> => {
    if (!ref) return ok(undefined);
    const bytes =
      ref.text === undefined ? await store.blobs.get(session, ref.blob) : ok(Buffer.from(ref.text));
    return bytes.ok ? ok(JSON.parse(Buffer.from(bytes.value).toString("utf8")) as Value) : bytes;
  };
  const system =
    options.system === undefined
      ? await stored<readonly TextBlock[]>(header?.system)
      : ok(toSystem(options.system));
  if (!system.ok) return system;
  const traits =
    options.tools === undefined ? await stored<readonly Tool[]>(header?.tools) : checkTools(options.tools);
  if (!traits.ok) return traits;
  const fields =
    options.request === undefined ? await stored<RequestPatch>(header?.fields) : checkFields(options.request);
  if (!fields.ok) return fields;
  const model = options.model ?? header?.model ?? defaultModel;
  return ok({
    model,
    system: system.value ?? [],
    tools: (traits.value ?? []).map(toDefinition),
    traits: traits.value ?? [],
    fields: fields.value ?? {},
    ...(header && { former: formerDigests(header, traits.value ?? []) }),
  });
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
