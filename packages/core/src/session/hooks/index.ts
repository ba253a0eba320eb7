export { checkHookFunctions } from "./check-hook-functions.ts";
export { createHooks, type HooksOptions } from "./create-hooks.ts";
export { commonVariables } from "./hook-environment.ts";
export { defaultHookTimeoutMs, hookGraceMs, maxHookOutputBytes, maxHookTextChars } from "./hook-numbers.ts";
