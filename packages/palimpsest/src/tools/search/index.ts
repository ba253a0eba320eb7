export {
  createDispatcherTool,
  type DispatcherOptions,
  dispatcherName,
  toInnerCall,
} from "./dispatcher-tool.ts";
export { createToolSearchTool, type ToolSearchOptions } from "./tool-search-tool.ts";
