/** How long a hook may take unless its settings say otherwise. */
export const defaultHookTimeoutMs = 60_000;

/** How much of a hook's output, and of its complaints, is kept; the rest is read and thrown away. */
export const maxHookOutputBytes = 1_048_576;

/** How much of each text that a hook says is heard: it may become part of every request. */
export const maxHookTextChars = 20_000;

/** How long a hook that was told to end may take before it is forced. */
export const hookGraceMs = 500;

/** How much of a hook's complaints a warning quotes. */
export const maxQuotedChars = 500;
