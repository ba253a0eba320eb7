import type { McpSettings, Settings } from "../../../spec/index.ts";
import { expandVariables } from "../../settings/expand-variables.ts";
import { assignedSecrets } from "../assigned-secrets.ts";
import { knownTokens } from "../known-tokens.ts";

/** A key of this process itself, and the name by which a person knows it. */
export interface OwnSecret {
  readonly name: string;
  readonly value: string;
}

export interface OwnSecretSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings?: Pick<Settings, "environment" | "mcp">;
  /** Secrets named by the program, and the keys that its models were given. */
  readonly given?: readonly OwnSecret[];
}

/** Shorter values would be found in words that have nothing to do with them. */
export const minOwnSecretChars = 8;

/** Names that say their value is a key; `KEYBOARD` and `AUTHOR` do not. */
const secretName =
  /(?:key|auth|pat|pass|pwd|pin|jwt|cookie|bearer|dsn|webhook)s?(?![a-z])(?:_(?:id|value|raw|b64|base64|json|\d+))?$|token|secret|passw|passphrase|credential|private|api_?key/i;

/** Values of the process's own keys, longest first, each once. */
export function ownSecretsOf({ environment, settings, given = [] }: OwnSecretSources): readonly OwnSecret[] {
  const found = [
    ...given.flatMap(({ name, value }) => partsOf(value).map((part) => ({ name, value: part }))),
    ...secretsOfVariables(environment),
    ...secretsOfVariables(settings?.environment ?? {}),
    ...secretsOfServers(settings?.mcp ?? {}, environment),
  ].filter(({ value }) => isWorthMasking(value));
  const byValue = new Map<string, OwnSecret>();
  for (const secret of found) if (!byValue.has(secret.value)) byValue.set(secret.value, secret);
  return [...byValue.values()].sort((one, other) => other.value.length - one.value.length);
}

function secretsOfVariables(variables: Readonly<Record<string, string | undefined>>): readonly OwnSecret[] {
  return Object.entries(variables).flatMap(([name, value = ""]) => {
    const values = secretName.test(name) ? [...partsOf(value), ...valuesInside(value)] : valuesInside(value);
    return values.map((one) => ({ name, value: one }));
  });
}

/** As they are handed over: with variables in place of `${NAME}`. */
function secretsOfServers(
  servers: McpSettings,
  machine: OwnSecretSources["environment"],
): readonly OwnSecret[] {
  const expanded = (given: Readonly<Record<string, string>>) => {
    const values = expandVariables(given, machine);
    return values.ok ? values.value.values : given;
  };
  return Object.values(servers).flatMap(({ environment = {}, headers = {} }) => [
    ...secretsOfVariables(expanded(environment)),
    ...secretsOfVariables(expanded(headers)),
    ...Object.entries(expanded(headers))
      .filter(([name]) => /^(?:proxy-)?authorization$/i.test(name))
      .flatMap(([name, value]) => credentialOf(value).map((one) => ({ name, value: one }))),
  ]);
}

/** `Bearer x` is shown as `x` too, and the base64 of `Basic` as the password in it. */
function credentialOf(header: string): readonly string[] {
  const [, scheme = "", credential = header] = /^(\w+)\s+(.+)$/.exec(header.trim()) ?? [];
  if (!/^basic$/i.test(scheme)) return partsOf(credential);
  const decoded = Buffer.from(credential, "base64").toString("utf8");
  return [...partsOf(credential), ...partsOf(decoded.slice(decoded.indexOf(":") + 1))];
}

/**
 * The value as it may turn up: of several lines each, since results number lines; of a JSON text what its fields hold;
 * of a signed token all but its header, which others have too.
 */
function partsOf(value: string): readonly string[] {
  const text = value.trim();
  if (/^[[{]/.test(text)) return stringsIn(text);
  if (isAddress(text)) return [];
  const token = /^eyJ[\w-]+\.(eyJ[\w-]+\.[\w-]+)$/.exec(text)?.[1];
  if (token !== undefined) return [token];
  if (!/[\r\n]/.test(text)) return [text];
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("-----"));
}

/** Keys inside a value, whatever its name says: passwords in addresses, `password=…`, tokens that tell by their beginning. */
function valuesInside(value: string): readonly string[] {
  if (value.length < minOwnSecretChars) return [];
  const found: string[] = [];
  for (const [, user = "", password] of value.matchAll(/[a-z][\w+.-]*:\/\/([^\s:/@]*)(?::([^\s/]+))?@/gi)) {
    const secret = password ?? (user.length >= minTokenChars ? user : "");
    found.push(secret, percentDecoded(secret));
  }
  for (const [, name = "", query = ""] of value.matchAll(/[?&;]([\w.-]+)=([^&#\s;]+)/g)) {
    if (secretName.test(name)) found.push(query, percentDecoded(query));
  }
  if (value.includes("=") || value.includes(":"))
    found.push(...assignedSecrets(value).map((assigned) => assigned.value));
  for (const [, pattern] of knownTokens)
    found.push(...[...value.matchAll(pattern)].map((match) => match[1] ?? match[0]));
  return found.flatMap(partsOf);
}

/** A user name this long in an address is a token. */
const minTokenChars = 16;

function stringsIn(json: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(json, (name, value: unknown) => {
      if (typeof value === "string" && secretName.test(name)) found.push(...partsOf(value));
      return value;
    });
  } catch {
    return [json];
  }
  return found;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isAddress = (text: string) => /^[a-z][\w+.-]*:\/\/\S+$/i.test(text);

/** Longer words than these nobody writes. */
const maxWordChars = 24;

/** Neither a word, a number, a switch nor a path: masking those would eat what has nothing to do with the key. */
function isWorthMasking(value: string): boolean {
  if (value.length < minOwnSecretChars) return false;
  if (/^(.)\1*$/su.test(value) || /^[\d.,:+-]+$/.test(value)) return false;
  if (/^\p{L}+(?:[-_. /]\p{L}+)*$/u.test(value) && !isMixed(value))
    return value.length > maxWordChars && !/[-_. /]/.test(value);
  return !isPath(value);
}

/** Letters in no order a word has: `aBcDeFgH`. */
function isMixed(value: string): boolean {
  return (value.match(/\p{Ll}\p{Lu}/gu) ?? []).length >= 3;
}

function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/.test(value)) return false;
  const isRandom = (part: string) =>
    part.length >= 16 && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part) && !part.includes(".");
  return !value.split(/[\\/:]/).some(isRandom);
}
