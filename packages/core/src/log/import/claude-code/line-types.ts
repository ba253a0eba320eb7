import { type JsonObject, textField } from "../../../json/json-values.ts";
import type { Note } from "../../../spec/index.ts";

/** Line types of Claude Code that are neither messages nor attachments nor system lines. */
const noteTypes: ReadonlySet<string> = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "ai-title",
  "attribution-snapshot",
  "content-replacement",
  "custom-title",
  "file-history-snapshot",
  "last-prompt",
  "marble-origami-commit",
  "marble-origami-snapshot",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "queue-operation",
  "speculation-accept",
  "summary",
  "tag",
  "task-summary",
  "worktree-state",
]);

const titleFields: Readonly<Record<string, string>> = {
  "ai-title": "aiTitle",
  "custom-title": "customTitle",
  summary: "summary",
};
const modeFields: Readonly<Record<string, string>> = { mode: "mode", "permission-mode": "permissionMode" };

export function isNoteType(type: string): boolean {
  return noteTypes.has(type);
}

/** The note a line becomes: a title or a mode where it is one, else the line as it was. */
export function lineNote(type: string, line: JsonObject): Note {
  const title = fieldText(titleFields, type, line);
  if (title !== undefined) return { topic: "title", title };
  const mode = fieldText(modeFields, type, line);
  if (mode !== undefined) return { topic: "mode", mode };
  return { topic: "foreign", type, line };
}

function fieldText(
  fields: Readonly<Record<string, string>>,
  type: string,
  line: JsonObject,
): string | undefined {
  const field = Object.hasOwn(fields, type) ? fields[type] : undefined;
  return field === undefined ? undefined : textField(line, field);
}
