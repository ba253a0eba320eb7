export { checkHookFunctions, createHooks, type HooksOptions } from "./create-hooks.ts";
export {
  commonVariables,
  defaultHookTimeoutMs,
  hookGraceMs,
  maxHookOutputBytes,
  maxHookTextChars,
} from "./run-command.ts";
