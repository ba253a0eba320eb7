import type { Catalog } from "@palimpsest/core/internal";
import type { ClientRequest, Protocol } from "../protocol/protocol.ts";

/** How many tokens models take, as their providers say. What the user has set is never asked for. */
export interface LearnedWindows {
  /** As far as it is known now; `undefined` while it is not. */
  known(protocol: Protocol, model: string): number | undefined;
  /** The window to open a session with; absent where the catalog's word is the best there is. */
  find(protocol: Protocol, { model }: Pick<ClientRequest, "model">): Promise<number | undefined>;
  /** Asks the provider, once a model. */
  ask(protocol: Protocol, model: string, get: (path: string) => Promise<unknown>): void;
  /** The provider has found a request too long and said for what. */
  set(protocol: Protocol, model: string, tokens: number): void;
}

export function createLearnedWindows(catalog: Catalog): LearnedWindows {
  const answers = new Map<string, Promise<number | undefined>>();
  const values = new Map<string, number>();
  const keyOf = ({ name }: Protocol, model: string) => `${name} ${model}`;
  const isSet = (model: string) => catalog.capabilities(model).overridden.includes("contextWindow");

  async function learn(protocol: Protocol, model: string, get: (path: string) => Promise<unknown>) {
    const key = keyOf(protocol, model);
    for (const path of protocol.windowPaths(model)) {
      const tokens = protocol.readWindow(await get(path).catch(() => undefined), model);
      if (tokens !== undefined && !values.has(key)) values.set(key, tokens);
      if (values.has(key)) break;
    }
    return values.get(key);
  }

  return {
    known(protocol, model) {
      return isSet(model)
        ? catalog.capabilities(model).value.contextWindow
        : values.get(keyOf(protocol, model));
    },
    async find(protocol, { model }) {
      if (isSet(model)) return undefined;
      await answers.get(keyOf(protocol, model));
      return values.get(keyOf(protocol, model));
    },
    ask(protocol, model, get) {
      const key = keyOf(protocol, model);
      if (isSet(model) || answers.has(key)) return;
      answers.set(key, learn(protocol, model, get));
    },
    set(protocol, model, tokens) {
      if (!isSet(model)) values.set(keyOf(protocol, model), tokens);
    },
  };
}
