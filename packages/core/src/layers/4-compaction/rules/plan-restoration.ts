import type { Message, Restorable } from "../../../spec/index.ts";
import type { Measure } from "../../../view/tokens/measure.ts";
import type { CompactionNumbers } from "../settings.ts";
import {
  attachment,
  fileAttachment,
  headOf,
  lastingAttachments,
  messageTokens,
  type Steering,
  toAttachment,
} from "./restored-attachment.ts";

export const nothingRestorable: Restorable = { tasks: [], skills: [], tools: [], rules: [] };

/** A file as it is now, or why it is not brought back. */
export type FileRead =
  | { readonly path: string; readonly text: string; readonly files?: Message["files"] }
  | { readonly path: string; readonly skipped: string };

export interface RestorationReport {
  readonly restored: readonly { readonly path: string; readonly tokens: number; readonly isCut: boolean }[];
  /** By path, or by what it is. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface Restoration extends RestorationReport {
  readonly attachments: readonly Message[];
  readonly tokens: number;
}

export interface RestorationInput extends Steering {
  readonly files: readonly FileRead[];
  readonly others: Restorable;
  readonly maxTokens: number;
  readonly numbers: CompactionNumbers;
  readonly measure: Measure;
}

/**
 * What is brought back, in its order: files, tasks, to-dos, plan, skills, tools, rules. What cannot be read from disk
 * again is given room first; files and skills share what is left. What does not fit is left out and reported.
 */
export function planRestoration(question: RestorationInput): Restoration {
  const { files, others, maxTokens, numbers, measure } = question;
  const skipped: { path: string; reason: string }[] = [];
  let left = maxTokens;

  function whole(messages: readonly Message[]): readonly Message[] {
    return messages.filter((message) => {
      const tokens = messageTokens(message, measure);
      if (tokens <= left) {
        left -= tokens;
        return true;
      }
      skipped.push({ path: message.subtype ?? "", reason: `its ${tokens} tokens are more than are left` });
      return false;
    });
  }

  const lasting = whole(lastingAttachments(question));
  const rules = whole(others.rules.map(toAttachment));
  const tools = whole(others.tools.map(toAttachment));
  const tasks = whole(others.tasks.map(toAttachment));
  const restored: { path: string; tokens: number; isCut: boolean }[] = [];
  const fileMessages: Message[] = [];
  let filesLeft = Math.min(left, numbers.restoredFilesTokens);
  for (const file of files) {
    if ("skipped" in file) {
      skipped.push({ path: file.path, reason: file.skipped });
      continue;
    }
    const made = fileAttachment(file, numbers.restoredFileTokens, measure);
    const tokens = made ? messageTokens(made.message, measure) : 0;
    if (!made || tokens > filesLeft) {
      skipped.push({ path: file.path, reason: made ? `${tokens} tokens are more than are left` : "no room" });
      continue;
    }
    filesLeft -= tokens;
    left -= tokens;
    fileMessages.push(made.message);
    restored.push({ path: file.path, tokens, isCut: made.isCut });
  }
  let skillsLeft = Math.min(left, numbers.restoredSkillsTokens);
  const skills = others.skills.flatMap((skill) => {
    const message = attachment(
      skill.subtype,
      headOf(skill.text, Math.min(numbers.restoredSkillTokens, skillsLeft), measure),
    );
    const tokens = messageTokens(message, measure);
    if (message.content === "" || tokens > skillsLeft) {
      skipped.push({ path: skill.subtype, reason: "no room" });
      return [];
    }
    skillsLeft -= tokens;
    left -= tokens;
    return [message];
  });
  const attachments = [...fileMessages, ...tasks, ...lasting, ...skills, ...tools, ...rules];
  return { attachments, restored, skipped, tokens: maxTokens - left };
}
