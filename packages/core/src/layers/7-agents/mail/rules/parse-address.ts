import { type AgentAddress, fail, ok, type Result } from "../../../../spec/index.ts";

const agentName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const logPart = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Whether an agent may be called this: letters, digits, dots, dashes and underscores, at most 64. */
export function isAgentName(name: string): boolean {
  return agentName.test(name);
}

/** Whether this names a log: `<session>` or `<session>/<agent>`. */
export function isLogId(id: string): boolean {
  const parts = id.split("/");
  return parts.length <= 2 && parts.every((part) => logPart.test(part) && !part.endsWith(".agents"));
}

/** What stands in `to`: a name, `*`, `session:<id>` (also `bridge:<id>`) or `uds:<path>`. */
export function parseAddress(to: string): Result<AgentAddress> {
  if (to === "*") return ok({ kind: "everyone" });
  const [, scheme, rest = ""] = /^(session|bridge|uds):([\s\S]*)$/.exec(to) ?? [];
  if (scheme === "uds") return isPlainPath(rest) ? ok({ kind: "socket", path: rest }) : refuse(to);
  if (scheme !== undefined) return isLogId(rest) ? ok({ kind: "session", id: rest }) : refuse(to);
  return isAgentName(to) ? ok({ kind: "name", name: to }) : refuse(to);
}

/** Absolute, without anything that leads elsewhere. */
function isPlainPath(path: string): boolean {
  if (!path.startsWith("/") || path.includes("\0")) return false;
  return path
    .slice(1)
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== "..");
}

function refuse(to: string): Result<never> {
  return fail("invalid-input", `${JSON.stringify(to.slice(0, 200))} is not an address.`, {
    path: "to",
    fix: "Give the name of an agent, * for all, session:<id>, or uds:<absolute path of a socket>.",
  });
}
