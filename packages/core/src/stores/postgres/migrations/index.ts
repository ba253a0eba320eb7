import { migration as sessions } from "./0001-sessions.ts";
import { migration as trees } from "./0002-trees.ts";
import { migration as mail } from "./0003-mail.ts";
import { migration as recall } from "./0004-recall.ts";
import { migration as work } from "./0005-work.ts";
import { migration as writes } from "./0006-writes.ts";
import { migration as flags } from "./0007-flags.ts";
import { migration as statistics } from "./0008-statistics.ts";
import type { Migration } from "./migration.ts";

export type { Migration } from "./migration.ts";

/** In order; numbers count from 1. */
export const migrations: readonly Migration[] = [
  sessions,
  trees,
  mail,
  recall,
  work,
  writes,
  flags,
  statistics,
];
