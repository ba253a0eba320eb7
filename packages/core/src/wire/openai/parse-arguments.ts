import { isRecord } from "./is-record.ts";

/** The input of a call; nothing and null are an empty one. `undefined` where the text is no object of JSON. */
export function parseArguments(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(json);
    if (parsed === null) return {};
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
