import { exitWith } from "../exit-codes.ts";
import { formatBytes } from "../format-amount.ts";
import { formatDuration } from "../format-time.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { choosePrunable } from "./choose-prunable.ts";
import { listSessions } from "./list-sessions.ts";
import { removalCandidates } from "./removal-candidates.ts";
import { type RemovalOptions, removeSessions } from "./remove-sessions.ts";
import { openSessionPlaces } from "./session-places.ts";

export interface PruneOptions extends RemovalOptions {
  readonly olderThan?: number;
  readonly maxSize?: number;
  readonly all?: boolean;
  readonly project?: string;
}

const form = "palimpsest sessions prune [--older-than 30d] [--max-size 5GB]";

export async function runPrune(context: CommandContext, options: PruneOptions): Promise<void> {
  const { olderThan, maxSize, all, project } = options;
  if (olderThan === undefined && maxSize === undefined) {
    throw new UsageError(`say what may go: --older-than or --max-size; use: ${form}`);
  }
  if (all && project !== undefined)
    throw new UsageError(`--all and --project exclude each other; use: ${form}`);
  const places = await openSessionPlaces(context);
  const named = project === undefined ? await places.currentProject() : await places.toProject(project);
  const projects = all ? orThrow(await places.projects()) : [orThrow(named)];
  const sessions = orThrow(await listSessions(places, projects));
  const candidates = orThrow(await removalCandidates(places, sessions));
  const { go, stay } = choosePrunable(candidates, {
    nowMs: context.now(),
    olderThanMs: olderThan,
    maxBytes: maxSize,
  });
  const limits = [
    ...(olderThan === undefined ? [] : [`older than ${formatDuration(olderThan)}`]),
    ...(maxSize === undefined ? [] : [`over ${formatBytes(maxSize)} together`]),
  ];
  const why = `pruned: ${limits.join(" or ")}`;
  const outcome = await removeSessions(context, { go, stay, why, form }, options);
  if (outcome.removed.length < go.length) exitWith("failed");
}
