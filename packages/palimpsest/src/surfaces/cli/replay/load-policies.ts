import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { policies as boxed, type Policy } from "../../../replay/index.ts";
import { UsageError } from "../usage-error.ts";

const form = "use: palimpsest replay FILES… --policies identity,engine --policy ./mine.js";

/**
 * The policies to run, in the order of the box and then of the files: identity first, since all others are compared
 * with it. Throws a usage error that says what is wrong with a name or a file.
 */
export async function loadPolicies(
  names: string | undefined,
  files: readonly string[],
  folder: string,
): Promise<readonly Policy[]> {
  const own = await Promise.all(files.map((file) => loadPolicy(resolve(folder, file))));
  const taken = new Set(boxed.map(({ name }) => name));
  for (const { name } of own) {
    if (taken.has(name)) throw new UsageError(`--policy: there is a policy “${name}” already; ${form}`);
    taken.add(name);
  }
  const wanted = names?.split(",").map((name) => name.trim());
  const unknown = wanted?.find((name) => !taken.has(name));
  if (unknown !== undefined)
    throw new UsageError(`--policies: there is no “${unknown}”; there are ${[...taken].join(", ")}`);
  return [...boxed.filter(({ name }, at) => at === 0 || (wanted?.includes(name) ?? true)), ...own];
}

async function loadPolicy(path: string): Promise<Policy> {
  const module = await import(pathToFileURL(path).href).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`--policy: ${path} could not be loaded: ${why}`);
  });
  const problem = problemOf(module.policy);
  if (problem !== null) throw new UsageError(`--policy: ${path} ${problem}; see docs/guides/replay.md`);
  return module.policy as Policy;
}

function problemOf(policy: unknown): string | null {
  if (policy === undefined) return "has no export named “policy”";
  if (typeof policy !== "object" || policy === null) return "exports a “policy” that is no object";
  const { name, createLayers } = policy as Partial<Policy>;
  if (typeof name !== "string" || !/^[\w.-]+$/.test(name))
    return "exports a policy whose “name” is not made of letters, digits, dots, dashes and underscores";
  return typeof createLayers === "function" ? null : "exports a policy without a function “createLayers”";
}
