export { chooseMemories, type MemoryChoice, type MemoryHit, recalledSubtype } from "./choose-memories.ts";
export { createRecallNotices, type RecallNoticeOptions } from "./recall-notices.ts";
