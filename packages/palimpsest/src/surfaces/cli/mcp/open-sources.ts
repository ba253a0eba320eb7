import { openSession } from "@palimpsest/core";
import type { Session } from "@palimpsest/core/spec";
import { orThrow } from "../../local/or-throw.ts";
import { toEntryLine } from "../../local/sessions/entry-text.ts";
import { findSession } from "../../local/sessions/find-session.ts";
import { readTranscript } from "../../local/sessions/read-transcript.ts";
import { openSessionLocations, type SessionLocations } from "../../local/sessions/session-locations.ts";
import { transcriptChunks } from "../../local/sessions/transcript-chunks.ts";
import type { CommandContext } from "../../local/terminal.ts";
import type { DescribeWaitingDream, PublishedSources, ReadableSessions } from "../../mcp/published-tool.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { createStyle } from "../../terminal/style.ts";
import { changeLines, openDreamTarget, reasonLines } from "../dream/dream-target.ts";
import { openMemoryTarget } from "../memory/memory-target.ts";
import { listSessions } from "../sessions/list-command.ts";

/** A project's memories, sessions and dreams, for those who read and write them by the protocol. */
export async function openSources(context: CommandContext, project?: string): Promise<PublishedSources> {
  const locations = await openSessionLocations(context);
  const { memory } = await openMemoryTarget(context, project === undefined ? {} : { project });
  return {
    memory,
    sessions: readableSessions(locations, context, project),
    describeWaitingDream: describeWaitingDream(context, project),
  };
}

function readableSessions(
  locations: SessionLocations,
  { terminal }: CommandContext,
  project?: string,
): ReadableSessions {
  async function withSession<T>(named: string, use: (session: Session) => T | Promise<T>): Promise<T> {
    const found = orThrow(await findSession(locations, named, project));
    const session = await openSession({ store: found.store, id: found.session, readOnly: true });
    try {
      return await use(session);
    } finally {
      await session.close();
    }
  }

  return {
    async list() {
      const slug =
        project === undefined ? await locations.currentProject() : await locations.toProject(project);
      return orThrow(await listSessions(locations, [orThrow(slug)]));
    },
    recall: (named, id, page) => withSession(named, (session) => session.recall(id, page)),
    usage: (named) => withSession(named, (session) => session.usage()),
    async transcript(named, maxChars) {
      const found = orThrow(await findSession(locations, named, project));
      const lines: string[] = [];
      let chars = 0;
      let isCut = false;
      const chunks = transcriptChunks({ kind: "session", ...found }, terminal);
      const source = { name: found.session, isOwnPlace: true, signal: terminal.signal };
      const read = await readTranscript(chunks, source, (entry) => {
        if (entry.kind !== "message" && entry.kind !== "decision") return;
        const { seq, id, type, text } = toEntryLine(entry);
        const line = `${seq} ${id} ${type} ${escapeTerminal(text)}`;
        lines.push(line);
        chars += line.length + 1;
        while (chars > maxChars) {
          chars -= (lines.shift()?.length ?? 0) + 1;
          isCut = true;
        }
      });
      orThrow(read);
      return [
        ...(isCut ? ["[what was before is not shown; recall gives entries by id]"] : []),
        ...lines,
      ].join("\n");
    },
  };
}

const textScreen = { style: createStyle(false), columns: 100 };

function describeWaitingDream(context: CommandContext, project?: string): DescribeWaitingDream {
  return async (id) => {
    const { changes } = await openDreamTarget(context, project === undefined ? {} : { cwd: project });
    const waiting = orThrow(await changes.list()).filter(({ state }) => state === "review");
    const chosen = id === undefined ? waiting.at(-1) : waiting.find((one) => one.id.startsWith(id));
    if (!chosen) return null;
    const { changeSet, reasons } = orThrow(await changes.show(chosen.id));
    const texts = changeSet.changes.flatMap((change) =>
      change.kind === "write" ? ["", `${change.path}:`, change.text] : [],
    );
    return [
      `Dream ${changeSet.id}, ${changeSet.at}`,
      ...(reasons.length > 0 ? ["It waits because:", ...reasonLines(reasons, textScreen)] : []),
      "Changes:",
      ...changeLines(changeSet, textScreen),
      ...texts,
      "",
      `To apply it: palimpsest dream apply ${changeSet.id}`,
      `To discard it: palimpsest dream discard ${changeSet.id}`,
    ].join("\n");
  };
}
