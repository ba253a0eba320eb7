import { fail, ok, type Result, type SessionEndReason, type SessionStartSource } from "../spec/index.ts";

const startSources: Readonly<Record<SessionStartSource, true>> = {
  startup: true,
  resume: true,
  clear: true,
  compact: true,
  fork: true,
};

const endReasons: Readonly<Record<SessionEndReason, true>> = {
  closed: true,
  clear: true,
  resume: true,
  done: true,
  quit: true,
  interrupted: true,
};

/** How a session begins, as a program says it to `openSession`. */
export function checkStartSource(source: unknown): Result<void> {
  return checkName("startSource", source, startSources);
}

/** Why a session ends, as a program says it to `close`. */
export function checkEndReason(reason: unknown): Result<void> {
  return checkName("reason", reason, endReasons);
}

function checkName(path: string, name: unknown, names: Readonly<Record<string, true>>): Result<void> {
  if (typeof name === "string" && Object.hasOwn(names, name)) return ok();
  return fail("invalid-input", `${path}: “${String(name)}” is none there is.`, {
    path,
    fix: `Use one of ${Object.keys(names).join(", ")}, or leave it out.`,
  });
}
