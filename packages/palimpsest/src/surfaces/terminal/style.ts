/** Words in colour, or as they are where colour is not wanted. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
} as const satisfies Record<keyof Style, readonly [number, number]>;

export function createStyle(isColoured: boolean): Style {
  const paint = (name: keyof Style) => {
    const [on, off] = codes[name];
    return (text: string) => (isColoured && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    yellow: paint("yellow"),
    green: paint("green"),
    cyan: paint("cyan"),
  };
}

/** Only on a terminal, never with `NO_COLOR`; `FORCE_COLOR` makes up for a missing terminal, or says no with 0. */
export function isColourWanted(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb";
}
