export { createFileRecallIndex } from "./recall-index.ts";
export {
  createRecallIndexFiles,
  type RecallIndexFiles,
  type RecallIndexFilesOptions,
  type RecallState,
} from "./recall-index-files.ts";
