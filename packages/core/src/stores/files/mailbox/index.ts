export { createFileMailbox, type FileMailboxOptions, unfinishedPatienceMs } from "./mailbox.ts";
