import type { RecallProgress } from "../spec/index.ts";

export type { RecallProgress, SessionProgress } from "../spec/index.ts";

export const noProgress: RecallProgress = { sessions: new Map(), memories: new Map() };
