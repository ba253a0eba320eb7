import { isBlock, type Ledgers, type ViewItem } from "../../../../spec/index.ts";
import { createNamedFiles, noNamedFiles } from "../../../../view/ledgers/named-files.ts";

/** The part of the ledgers that is about a span; a copy, so that it stays as it is when entries are added. */
export function spanLedgers(ledgers: Ledgers, items: readonly ViewItem[]): Ledgers {
  const entries = new Set(items.map(({ entry }) => entry));
  const calls = new Set(items.flatMap(({ block }) => (isBlock(block, "tool_use") ? block.id : [])));
  const isSaidHere = ({ entry }: { readonly entry: string }) => entries.has(entry);
  const isCalledHere = ({ toolUseId }: { readonly toolUseId: string }) => calls.has(toolUseId);
  return {
    userMessages: ledgers.userMessages.filter(isSaidHere),
    intents: ledgers.intents.filter(isSaidHere),
    files: new Map([...ledgers.files].filter(([, file]) => isCalledHere(file))),
    namedFiles: namedIn(items),
    commands: ledgers.commands.filter(isCalledHere),
    olderCommands: 0,
    todos: [],
    unresolvedErrors: ledgers.unresolvedErrors.filter(isCalledHere),
    olderErrors: 0,
  };
}

function namedIn(items: readonly ViewItem[]): Ledgers["namedFiles"] {
  const named = createNamedFiles(noNamedFiles);
  for (const { block, json } of items) {
    if (!isBlock(block, "tool_use") && !isBlock(block, "tool_result")) continue;
    named.read(json);
    if (isBlock(block, "tool_result")) named.next();
  }
  return named.files;
}
