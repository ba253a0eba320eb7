import { createStyle } from "./style.ts";
import type { Terminal } from "./terminal.ts";

/** Where nobody looks and nobody types. */
export function silentTerminal(): Terminal {
  return {
    columns: 80,
    style: createStyle(false),
    isInteractive: false,
    isWatched: false,
    isScreen: false,
    isPiped: true,
    signal: new AbortController().signal,
    isClosed: false,
    write: async () => undefined,
    say: () => undefined,
    progress: () => undefined,
    confirm: async () => false,
    ask: async () => null,
    askHidden: async () => "",
    input: async function* () {},
  };
}
