import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * What a package exports by default, loaded when it is first called for: most commands show nothing but short plain
 * texts, and reading its tables takes longer than their work.
 */
export function libraryOf<Default>(name: string): () => Default {
  let loaded: Default | undefined;
  return () => {
    loaded ??= (require(name) as { readonly default: Default }).default;
    return loaded;
  };
}
