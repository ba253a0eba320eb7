const claude = /claude|^(?:opus|sonnet|haiku|fable)-\d/;

/** So many names are remembered; a log may name any number of them. */
const rememberedNames = 64;
const known = new Map<string, string>();

/**
 * One spelling for the many names of a model: lower case, without the `[1m]` suffix, the vendor's path or region,
 * router variants, dates and deployment versions. Versions of Claude are written with a dot, and without a zero behind it:
 * `claude-opus-4.5`, and `claude-opus-4` for `claude-opus-4-0`.
 */
export function normalizeModelName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= rememberedNames) known.clear();
  const normalised = normalise(name);
  known.set(name, normalised);
  return normalised;
}

function normalise(name: string): string {
  const whole = withoutSuffix(name);
  const own = whole
    .slice(whole.lastIndexOf("/") + 1)
    .replace(/^ft:/, "")
    .replace(/^(?:[a-z-]+\.)?anthropic\./, "")
    .replace(/:(?:beta|exacto|extended|floor|free|nitro|online|thinking)$/, "");
  return claude.test(own) ? claudeName(own) : own.replace(/-(?:20\d{2}-\d{2}-\d{2}|latest)$/, "");
}

/** Lower case, and without what a user adds in brackets to ask for a larger window. */
export function withoutSuffix(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\[[^\]]*\]$/, "")
    .trimEnd();
}

function claudeName(name: string): string {
  return name
    .replace(/@.*$/, "")
    .replace(/-v\d+(?::\d+k?)*$/, "")
    .replace(/-(?:20\d{6}|latest)/, "")
    .replace(/(\d)-(\d{1,2})(?!\d)/, "$1.$2")
    .replace(/(\d)\.0(?!\d)/, "$1");
}
