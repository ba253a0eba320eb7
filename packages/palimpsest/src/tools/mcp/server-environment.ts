import type { Environment } from "@palimpsest/core/internal";

/** What programs need to run at all and to speak a language; none of it is a secret. */
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
export function serverEnvironment(
  environment: Environment,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const usual = usualNames.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(usual), ...given };
}
