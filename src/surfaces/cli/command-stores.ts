import type { ProjectStores } from "../../spec/index.ts";
import type { OpenStoresOptions } from "../../stores/open-stores.ts";
import { orThrow } from "./or-throw.ts";

/** The stores of one command: nothing is loaded or opened unless they are asked for, and then once. */
export interface CommandStores {
  open(): Promise<ProjectStores>;
  /** Never throws: what could not be opened need not be closed. */
  close(): Promise<void>;
}

export function createCommandStores(options: OpenStoresOptions): CommandStores {
  let opened: Promise<ProjectStores> | undefined;
  return {
    open() {
      opened ??= import("../../stores/open-stores.ts")
        .then(({ openStores }) => openStores(options))
        .then(orThrow);
      return opened;
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
