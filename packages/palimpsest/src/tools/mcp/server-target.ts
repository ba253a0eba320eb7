import { resolve } from "node:path";
import { type Environment, expandVariables, refuseServer } from "@palimpsest/core/internal";
import { fail, type McpServerSettings, ok, type Result } from "@palimpsest/core/spec";

export interface StdioTarget {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Never to be shown. */
  readonly secrets: readonly string[];
}

export interface HttpTarget {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Never to be shown. */
  readonly secrets: readonly string[];
}

export type ServerTarget = StdioTarget | HttpTarget;

/** Where a server is and how it is reached, or why that cannot be. */
export function serverTarget(
  settings: McpServerSettings,
  { environment, cwd }: { readonly environment: Environment; readonly cwd: string },
): Result<ServerTarget> {
  const refusal = refuseServer(settings);
  if (refusal !== undefined) {
    return fail("invalid-input", refusal.problem, { fix: `Edit its settings: ${refusal.fix}.` });
  }
  const { command = "", args = [], url, headers = {} } = settings;
  const expanded = expandVariables(url === undefined ? (settings.environment ?? {}) : headers, environment);
  if (!expanded.ok) return expanded;
  const { values, secrets } = expanded.value;
  if (url !== undefined) {
    return ok({ kind: "http", url, headers: values, secrets: [...secrets, ...Object.values(values)] });
  }
  return ok({
    kind: "stdio",
    command,
    args,
    environment: serverEnvironment(environment, values),
    cwd: resolve(cwd, settings.cwd ?? "."),
    secrets: [...secrets, ...Object.values(values)],
  });
}

/** A shorter value is no secret, and would be found in any text. */
const shortestMasked = 6;

/** The text without anything that must not be shown. */
export function maskSecrets(text: string, { secrets }: Pick<ServerTarget, "secrets">): string {
  return secrets
    .filter((secret) => secret.length >= shortestMasked)
    .toSorted((one, other) => other.length - one.length)
    .reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
}

/** Variables that programs need to run at all and to speak a language; none of them is a secret. */
export const usualNames: readonly string[] = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
];

/** The whole environment of a server: the usual few, and what its settings give it. Keys are not among the usual. */
function serverEnvironment(
  environment: Environment,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const usual = usualNames.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(usual), ...given };
}
