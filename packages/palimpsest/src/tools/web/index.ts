export { createJsonSearchProvider, type JsonSearchOptions } from "./json-search-provider.ts";
export { createWebFetchTool, type WebFetchOptions } from "./web-fetch-tool.ts";
export {
  createWebSearchTool,
  type WebSearchHit,
  type WebSearchProvider,
  type WebSearchInput,
} from "./web-search-tool.ts";
