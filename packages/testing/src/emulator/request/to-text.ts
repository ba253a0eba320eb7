/** A value of JSON as it is named in a sentence; unlike `String`, never throws. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
}
