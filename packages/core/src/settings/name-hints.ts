import type { GenericSchema } from "valibot";
import type { NameLocation } from "./check-value.ts";
import { showValue } from "./explain-mismatch.ts";
import { foreignLetterHint, nearestName } from "./nearest-name.ts";
import { formOf, isProtecting as isProtectingSchema } from "./schema-form.ts";
import { settingPath } from "./setting.ts";

/** What to do about a name that is not known where it stands. */
interface NameHint {
  readonly fix: string;
  /** What was most likely meant limits spending or forbids something. */
  readonly isProtecting: boolean;
}

interface NameHints {
  explain(name: string, value: unknown, place: NameLocation): NameHint;
}

interface KnownName {
  readonly path: readonly string[];
  /** It stands among limits and protections. */
  readonly isProtecting: boolean;
}

/** Values this short are written out where a fix shows how to nest them. */
const longestShown = 40;
/** No name of ours is longer. */
const longestKnown = 100;

/**
 * Says where a name belongs: into a group that has it, onto the top, or which name near to it was meant. The list of all
 * names of a place is given once.
 */
export function createNameHints(root: GenericSchema): NameHints {
  let isListed = false;

  /** The places that have the name, for one that stands in a group and not in an entry of the user's own. */
  function elsewhere(name: string, { location }: NameLocation): readonly KnownName[] {
    const group = location.join(".");
    const named = (wanted: string) => knownNames(root).filter(({ path }) => path.join(".") === wanted);
    if (name.length > longestKnown || (group !== "" && named(group).length === 0)) return [];
    if (!name.includes(".")) return knownNames(root).filter(({ path }) => path.at(-1) === name);
    const dotted = named(name);
    return dotted.length > 0 ? dotted : named(`${group}.${name}`);
  }

  function known(fields: NameLocation["fields"]): string {
    if (isListed) return "remove it";
    isListed = true;
    return `known here: ${Object.keys(fields).join(", ")}`;
  }

  return {
    explain(name, value, place) {
      const found = elsewhere(name, place);
      const isProtecting = found.some((one) => one.isProtecting);
      const [only] = found;
      if (only && found.length === 1) return { fix: toWhere(only.path, value, place.isSecret), isProtecting };
      const meant = nearestName(name, Object.keys(place.fields));
      const field = meant === undefined ? undefined : place.fields[meant];
      if (meant !== undefined)
        return {
          fix: `did you mean ${meant}?${foreignLetterHint(name, meant)}`,
          isProtecting: field !== undefined && isProtectingSchema(field),
        };
      if (found.length === 0) return { fix: known(place.fields), isProtecting };
      const groups = found.map(({ path }) => settingPath(path.slice(0, -1)) || "the top");
      return { fix: `it belongs into ${groups.join(" or ")}`, isProtecting };
    },
  };
}

function toWhere(path: readonly string[], value: unknown, isSecret: boolean): string {
  const [name = ""] = path;
  if (path.length === 1) return `it belongs at the top of the file, as ${name}`;
  const shown = showValue(value);
  const isShort = !isSecret && shown.length <= longestShown;
  const nested = path.reduceRight(
    (inner, step) => `{${JSON.stringify(step)}: ${inner}}`,
    isShort ? shown : "…",
  );
  return `write ${nested}`;
}

const namesBySchema = new WeakMap<GenericSchema, readonly KnownName[]>();

/** Every name that a schema of objects in objects has, with the names above it. */
function knownNames(schema: GenericSchema): readonly KnownName[] {
  const before = namesBySchema.get(schema);
  if (before) return before;
  const form = formOf(schema);
  const fields = form.kind === "fields" ? Object.entries(form.fields) : [];
  const names = fields.flatMap(([name, field]): readonly KnownName[] => [
    { path: [name], isProtecting: isProtectingSchema(schema) || isProtectingSchema(field) },
    ...knownNames(field).map((inner) => ({ ...inner, path: [name, ...inner.path] })),
  ]);
  namesBySchema.set(schema, names);
  return names;
}
