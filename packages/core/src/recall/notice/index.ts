export {
  chooseMemories,
  createRecallNotices,
  type MemoryChoice,
  type MemoryHit,
  type RecallNoticeOptions,
  recalledSubtype,
} from "./recall-notices.ts";
