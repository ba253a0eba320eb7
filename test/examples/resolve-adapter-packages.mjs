const names = /^(?:ai|langchain|zod|@ai-sdk\/.+|@langchain\/.+)$/;
const root = new URL("../../", import.meta.url).href;
const holder = new URL("../adapters/package.json", import.meta.url).href;

/** Examples and the package itself; what is installed finds its own. */
const isOurs = (url) => url?.startsWith(root) && !url.includes("/node_modules/");

export function resolve(name, context, next) {
  const isFoundThere = names.test(name) && isOurs(context.parentURL);
  return next(name, isFoundThere ? { ...context, parentURL: holder } : context);
}
