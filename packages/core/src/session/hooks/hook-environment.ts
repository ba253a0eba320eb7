import type { HookCommand } from "../../spec/index.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What every hook may see of the environment. Keys are in none of them. */
export const commonVariables: readonly string[] = ["PATH", "HOME", "LANG", "TERM", "TMPDIR"];

/** The whole environment of a hook: the usual few, whose session and project it is, and what its settings name. */
export function hookEnvironment(
  environment: Environment,
  { environment: named = [] }: HookCommand,
  { project, session }: { readonly project: string; readonly session: string },
): Readonly<Record<string, string>> {
  const seen = [...commonVariables, ...named].flatMap((name) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(seen), PALIMPSEST_PROJECT: project, PALIMPSEST_SESSION: session };
}
