import { isObject } from "../../../log/import/json-value.ts";
import type { Piece } from "../piece.ts";
import type { SessionReading } from "../read-session.ts";

const maxValues = 4;
/** Tools and their fields are named by whoever writes the call. */
const isName = /^[\w.-]{1,80}$/;

/** With which numbers tools were called: limits and times to wait, as they were given last. Places in files are left out. */
export function optionPieces({ calls, ownSummaries }: SessionReading): readonly Piece[] {
  const options = new Map<string, string[]>();
  for (const text of ownSummaries)
    for (const [name, values] of carriedOptions(text)) options.set(name, values);
  for (const { tool, input, purpose } of calls) {
    if (!isObject(input) || purpose.purpose === "file") continue;
    for (const [field, value] of Object.entries(input)) {
      if (typeof value !== "number" || !isName.test(tool) || !isName.test(field)) continue;
      const name = `${tool} ${field}`;
      const others = (options.get(name) ?? []).filter((one) => one !== String(value));
      options.set(name, [String(value), ...others].slice(0, maxValues));
    }
  }
  if (options.size === 0) return [];
  const shown = [...options].map(([name, values]) => `${name} ${values.join(" ")}`);
  return [{ levels: [`${heading}${shown.join(", ")}`] }];
}

const isValue = /^-?[\d.e+-]+$/;
const heading = "Options of calls, the last first: ";

function carriedOptions(text: string): readonly (readonly [string, string[]])[] {
  const at = text.indexOf(`\n${heading}`);
  if (at === -1) return [];
  const [line = ""] = text.slice(at + 1 + heading.length).split("\n", 1);
  return line.split(", ").flatMap((option) => {
    const [tool = "", field = "", ...values] = option.split(" ");
    const areSound = isName.test(tool) && isName.test(field) && values.every((value) => isValue.test(value));
    return areSound ? [[`${tool} ${field}`, values] as const] : [];
  });
}
