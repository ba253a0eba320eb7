import type { Facts, Ledgers, Verdict, View } from "../../spec/index.ts";
import type { NotesCommand } from "./apply.ts";
import {
  hasEditTool,
  type NotesNumbers,
  notesNumbersOf,
  notesTemplateOf,
  renderNotes,
} from "./rules/index.ts";
import { overBudget } from "./rules/notes-limits.ts";
import {
  callsSince,
  hasOpenCall,
  lastMessageCalls,
  newestMessage,
  tokensSince,
} from "./rules/write-notes.ts";

/** After so many failures in a row the wait no longer doubles. */
const mostDoublings = 6;

/** After a response and the results of its calls: whether the notes are due. */
export function decideSessionNotes(view: View, facts: Facts, hasScribe: boolean): Verdict<NotesCommand> {
  const { switches } = facts.settings;
  if (switches?.sessionNotes === false) return skip("session notes are off");
  if (facts.source !== "main") return skip("a fork keeps no notes");
  const byModel = facts.canFork === true;
  if (!byModel && !hasScribe) return skip("nothing can write notes: no model and no scribe");
  const numbers = notesNumbersOf(facts);
  const due = dueBy(view, numbers);
  if (!due.isDue) return skip(due.reason);
  if (hasOpenCall(view.items)) return skip("a call of a tool waits for its result");
  const newest = newestMessage(view.items);
  if (!newest) return skip("there is nothing to note");
  const dear = byModel && view.notes ? overBudget(facts.statistics, numbers.budgetPercent) : null;
  if (dear !== null) return skip(dear);
  const template = notesTemplateOf(facts);
  const { sectionTokens, fileTokens } = numbers;
  const command: NotesCommand = {
    by: byModel ? "model" : "scribe",
    input: {
      template,
      former: view.notes?.text ?? renderNotes(template, new Map()),
      items: [...view.items],
      ledgers: copyOf(view.ledgers),
      sectionTokens,
      fileTokens,
    },
    canEdit: hasEditTool(facts.tools),
    covers: newest.entry,
    coversSeq: newest.seq,
    tokensAt: view.count.tokens,
    basis: view.head,
    reason: due.reason,
  };
  const run = byModel ? "background" : "inline";
  return { verdict: "act", command, run, reason: due.reason, frees: 0, basis: view.head };
}

interface DueVerdict {
  readonly isDue: boolean;
  readonly reason: string;
}

function dueBy({ items, count, notes, failedUpdates }: View, numbers: NotesNumbers): DueVerdict {
  const { firstTokens, growTokens, minCalls } = numbers;
  const { tokens } = count;
  if (failedUpdates) {
    const wait = growTokens * 2 ** Math.min(failedUpdates.count - 1, mostDoublings);
    const since = tokensSince(items, failedUpdates.seq);
    if (since < wait) return notDue(`${since} of ${wait} tokens since the last update failed`);
  }
  if (!notes) {
    if (tokens < firstTokens) return notDue(`${tokens} of ${firstTokens} tokens before the first update`);
    return { isDue: true, reason: `the conversation has ${tokens} tokens` };
  }
  const grown = tokens - notes.tokensAt;
  if (grown < growTokens) return notDue(`${grown} of ${growTokens} tokens since the last update`);
  const calls = callsSince(items, notes.coversSeq);
  if (calls < minCalls && lastMessageCalls(items))
    return notDue(`${calls} of ${minCalls} calls since the last update`);
  return { isDue: true, reason: `${grown} tokens and ${calls} calls since the last update` };
}

const notDue = (reason: string): DueVerdict => ({ isDue: false, reason });

const skip = (reason: string) => ({ verdict: "skip", reason }) as const;

/** Ledgers are valid until the next entry, and an update goes on for longer. */
function copyOf(ledgers: Ledgers): Ledgers {
  const { userMessages, files, namedFiles, commands, todos, unresolvedErrors } = ledgers;
  return {
    ...ledgers,
    userMessages: [...userMessages],
    files: new Map(files),
    namedFiles: new Map(namedFiles),
    commands: [...commands],
    todos: [...todos],
    unresolvedErrors: [...unresolvedErrors],
  };
}
