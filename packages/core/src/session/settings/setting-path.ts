/** `a.b-c["odd name"][0]`: how a place in the settings is written. */
export function settingPath(parts: readonly (string | number)[]): string {
  return parts
    .map((part, position) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
      return position === 0 ? part : `.${part}`;
    })
    .join("");
}
