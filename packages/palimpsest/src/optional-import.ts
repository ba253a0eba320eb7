/**
 * Behind the import of an optional peer: `.catch(absent)`. Bundlers refuse a package that they cannot find, unless its failure
 * is handled where it is imported; who imports it says what is missing.
 */
export function absent(cause: unknown): never {
  throw cause;
}
