import type { OpenStoresOptions } from "@palimpsest/core/internal";
import type { ProjectStores } from "@palimpsest/core/spec";
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
      opened ??= import("@palimpsest/core/internal")
        .then(({ openStores }) => openStores(options))
        .then(orThrow);
      return opened;
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
