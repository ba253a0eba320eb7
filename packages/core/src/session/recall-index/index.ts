export { type OpenRecallOptions, openRecall } from "./open-recall.ts";
