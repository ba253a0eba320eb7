/**
 * Vite aliases for a package's own name and every subpath in its `exports`, so that tests import it as its users do.
 * `locate` turns a file that the package gives, as `./dist/index.js`, into the path that is loaded.
 */
export function packageAliases({ name, exports }, locate) {
  return Object.entries(exports).map(([subpath, target]) => ({
    find: new RegExp(`^${`${name}${subpath.slice(1)}`.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`),
    replacement: locate(target),
  }));
}

/** The source of a built file: `./dist/a/b.js` → `./src/a/b.ts`; other files are their own source. */
export const sourceOf = (target) => target.replace(/^\.\/dist\/(.+)\.js$/, "./src/$1.ts");
