import { fail, type McpAddressSettings, type McpCommandSettings, ok, type Result } from "../../spec/index.ts";

/** Variables as they are handed in. */
type Environment = Readonly<Record<string, string | undefined>>;

interface ExpandedValues {
  readonly values: Readonly<Record<string, string>>;
  /** The variables' values: never to be shown. */
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

/** What stands in a server's settings, before it is known which of the two kinds it is. */
export type McpServerFields = {
  readonly [Name in keyof McpCommandSettings | keyof McpAddressSettings]?:
    | McpCommandSettings[Name]
    | McpAddressSettings[Name];
};

interface ServerRefusal {
  readonly problem: string;
  readonly fix: string;
}

/** The fault in a server's settings as a whole, each value by itself being what it should. */
export function refuseServer(settings: McpServerFields): ServerRefusal | undefined {
  const { command, url } = settings;
  if (command === undefined && url === undefined) {
    return { problem: "expected command or url, got neither", fix: "add one of them" };
  }
  if (command !== undefined && url !== undefined) {
    return { problem: "expected command or url, got both", fix: "remove one of them" };
  }
  const others = url === undefined ? (["headers"] as const) : (["args", "environment", "cwd"] as const);
  const idle = others.filter((name) => settings[name] !== undefined);
  if (idle.length > 0) {
    const kind = url === undefined ? "command" : "url";
    return { problem: `${idle.join(", ")} cannot go with ${kind}`, fix: `remove ${idle.join(", ")}` };
  }
  if (url !== undefined && !isWebAddress(url)) {
    return { problem: "expected an http or https address as url", fix: "write it as https://host/path" };
  }
  if (url !== undefined && (new URL(url).username !== "" || new URL(url).password !== "")) {
    return { problem: "expected a url without a user's name and password", fix: "send them in headers" };
  }
  return undefined;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
