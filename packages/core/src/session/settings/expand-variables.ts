import { fail, ok, type Result } from "../../spec/index.ts";

/** Variables as they are handed in. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ExpandedValues {
  readonly values: Readonly<Record<string, string>>;
  /** What stood in the variables: never to be shown. */
  readonly secrets: readonly string[];
}

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Puts variables where `${NAME}` stands, and nothing else; one that is not set is a failure. */
export function expandVariables(
  given: Readonly<Record<string, string>>,
  environment: Environment,
): Result<ExpandedValues> {
  const secrets: string[] = [];
  const missing = new Set<string>();
  const expand = (text: string) =>
    text.replace(reference, (_, name: string) => {
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (value === undefined || value === "") missing.add(name);
      else secrets.push(value);
      return value ?? "";
    });
  const values = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, expand(text)]));
  if (missing.size === 0) return ok({ values, secrets });
  const names = [...missing].join(", ");
  return fail(
    "invalid-input",
    `its settings name ${names}, which ${missing.size === 1 ? "is" : "are"} not set`,
    {
      fix: `Set ${names} in the environment, or take it out of the settings of this server.`,
    },
  );
}
