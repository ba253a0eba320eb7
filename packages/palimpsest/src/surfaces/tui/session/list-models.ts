import { createCatalog } from "@palimpsest/core/catalog";
import { type Catalog, defaultModel } from "@palimpsest/core/internal";
import type { Settings } from "@palimpsest/core/spec";
import { providerOf } from "../../../models/provider-of-name.ts";
import { formatCount } from "../../cli/format-amount.ts";
import type { ChoiceItem } from "../state/dialog.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Rows whose id is a name but for its dots and the vendor in front; older ones have other names, or several models. */
const claudeRow = /^(?:fable|opus|sonnet|haiku)-(?:4\.[5-9]|[5-9](?:\.\d+)?)$/;
const openaiRow = /^gpt-/;

/** Models of the catalog and of settings that can be reached from here, the session's own first. */
export function listModels(
  current: string,
  { catalog: overrides }: Pick<Settings, "catalog">,
  environment: Environment,
): readonly ChoiceItem[] {
  const catalog = createCatalog(overrides);
  const own = Object.keys(overrides?.capabilities ?? {}).filter((name) => !name.includes("*"));
  const ids = catalog.capabilityRows.map(({ id }) => id);
  const claude = ids.filter((id) => claudeRow.test(id)).map((id) => `claude-${id.replaceAll(".", "-")}`);
  const openai = environment.OPENAI_BASE_URL ? [] : ids.filter((id) => openaiRow.test(id));
  const names = [defaultModel, ...own, ...claude, ...openai].filter((name) => hasKey(name, environment));
  return [...new Set([current, ...names])].map((name) => ({
    id: name,
    label: name,
    detail: detailOf(name, catalog, name === current),
  }));
}

function hasKey(name: string, environment: Environment): boolean {
  if (providerOf(name) === "anthropic") return Boolean(environment.ANTHROPIC_API_KEY?.trim());
  return Boolean(environment.OPENAI_API_KEY || environment.OPENAI_BASE_URL);
}

/** What it takes in, and what a million tokens cost; nothing that is only guessed. */
function detailOf(name: string, catalog: Catalog, isCurrent: boolean): string {
  const { known, value } = catalog.capabilities(name);
  const prices = catalog.prices(name);
  return [
    ...(isCurrent ? ["answers now"] : []),
    ...(known ? [`${formatCount(value.contextWindow)} tokens`] : []),
    ...(prices.known ? [`$${prices.value.input} in, $${prices.value.output} out`] : []),
  ].join(" · ");
}
