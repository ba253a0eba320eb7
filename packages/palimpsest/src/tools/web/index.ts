export { createJsonSearchProvider, type JsonSearchOptions } from "./json-search-provider.ts";
export { createWebFetchTool, type WebFetchOptions } from "./web-fetch-tool.ts";
export {
  createWebSearchTool,
  type WebSearchHit,
  type WebSearchInput,
  type WebSearchProvider,
} from "./web-search-tool.ts";
