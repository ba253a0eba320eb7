import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import type { MemoryFolder } from "../../packages/core/src/spec/index.ts";
import {
  callTool,
  type RecordedRequest,
  type Reply,
  type Script,
  say,
} from "../../packages/testing/src/index.ts";
import { isExtraction } from "../support/memory-agent.ts";
import type { Project } from "./agent-project.ts";

/** The project's memories, as a person has them. */
export function memoriesOf({ home, cwd }: Pick<Project, "home" | "cwd">): Promise<MemoryFolder> {
  return openMemory({ home, cwd });
}

/** A memory as a model writes it. */
export function memoryFile(type: string, name: string, statement: string): string {
  const isReasoned = type === "feedback" || type === "project";
  const reasons = isReasoned ? "\n\n**Why:** It was said.\n**How to apply:** When it comes up." : "";
  return `---\nname: ${name}\ndescription: ${name}, in one line\ntype: ${type}\n---\n\n${statement}${reasons}\n`;
}

/** The model keeps something by its own tool. */
export const keep = (path: string, text: string) =>
  callTool("memory", { command: "create", path: `/memories/${path}`, file_text: text });

type Said = Reply | ((request: RecordedRequest) => Reply);

/** Answers of the conversation and those of extractions, each in turn; where none is left there is nothing to say. */
export function answers(main: readonly Said[], extractions: readonly Said[] = []): Script {
  const [said, extracted] = [[...main], [...extractions]];
  return (request: RecordedRequest) => {
    const next = isExtraction(request)
      ? (extracted.shift() ?? say("nothing"))
      : (said.shift() ?? say("Fine."));
    return typeof next === "function" ? next(request) : next;
  };
}

/** The fork that extracts writes a memory, where it was told they are. */
export const extract = (path: string, text: string) => (request: RecordedRequest) => {
  const [, folder] = /A memory is a file (\S+)\/<topic>\.md/.exec(saidIn(request)) ?? [];
  return callTool("Write", { file_path: `${folder}/${path}`, content: text });
};

/** Everything that a request's messages say. */
export function saidIn({ whole }: RecordedRequest): string {
  const { messages = [] } = (whole ?? {}) as { readonly messages?: readonly { readonly content: unknown }[] };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [{ text: content }]));
  return blocks
    .map(({ text, content }) => (typeof text === "string" ? text : JSON.stringify(content ?? "")))
    .join("\n");
}

export const requestsOf = ({ emulator }: Project, isWanted: (request: RecordedRequest) => boolean) =>
  [...emulator.requests].filter(isWanted);

/** What the conversation's newest request says. */
export const newestOf = (project: Project) =>
  saidIn(requestsOf(project, (one) => !isExtraction(one)).at(-1) as RecordedRequest);

export { isExtraction };
