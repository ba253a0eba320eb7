import type { ContentBlock } from "../../../spec/index.ts";
import { type JsonObject, textOf } from "../json-value.ts";

/** What every line has, and what the entry says otherwise. */
const envelope: ReadonlySet<string> = new Set([
  "agentId",
  "content",
  "cwd",
  "entrypoint",
  "gitBranch",
  "isMeta",
  "isSidechain",
  "logicalParentUuid",
  "parentUuid",
  "sessionId",
  "slug",
  "subtype",
  "timestamp",
  "type",
  "userType",
  "uuid",
  "version",
]);

/** A system line's text, then whatever else it says, as JSON. */
export function systemContent(line: JsonObject): readonly ContentBlock[] {
  const text = textOf(line, "content");
  const rest = Object.entries(line).filter(
    ([key]) => !envelope.has(key) || (key === "content" && text === undefined),
  );
  return [
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...(rest.length === 0 ? [] : [{ type: "text" as const, text: JSON.stringify(Object.fromEntries(rest)) }]),
  ];
}
