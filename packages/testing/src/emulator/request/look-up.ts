/** The entry of a table under a name that came with a request: never one that every object has. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: unknown): Value | undefined {
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;
}
