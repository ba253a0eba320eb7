import type { NotesCommand } from "../command.ts";
import { describeExcess, editToolName, notesExcess } from "./index.ts";

/** From this part of a limit on, the model is told to condense. */
const nearPart = 0.8;

/** What the fork is told. It carries the notes, so that nothing has to be read. */
export function notesDirective(command: NotesCommand, path: string): string {
  return [
    "The program that runs this conversation asks you for one thing, aside from the user's work: bring the notes about this session up to date. The user does not see this exchange, and the work above goes on without it. Do not go on with it here.",
    command.canEdit ? howToEdit(path) : howToAnswer,
    rules(command),
    `The notes as they are:\n\n${command.question.former}`,
  ].join("\n\n");
}

function howToEdit(path: string): string {
  return `The notes are the file ${path}. Its content stands below and counts as read. Change it with ${editToolName} alone, all changes in one answer, one call for each section that needs it; no other tool works here, and no other file. Then end with the word “done”. Where nothing has to change, say “done” at once.`;
}

const howToAnswer =
  "Answer with the notes and nothing else, without calling a tool: each section that changes, beginning with its heading line (“## …”) exactly as below, and under it everything that shall stand there from now on. Sections that you leave out stay as they are.";

function rules({ question }: NotesCommand): string {
  const { former, template, sectionTokens, fileTokens } = question;
  const full = notesExcess(former, template, question, nearPart);
  const condense =
    full.length === 0
      ? ""
      : ` It is nearly full: ${describeExcess(full)}. Condense what is there before you add to it: merge what belongs together, drop what no longer matters, keep what is open, what failed, and the user's own words.`;
  return `Write for somebody who knows nothing of this session and must go on with it: names, paths, commands, numbers and error texts exactly, no pleasantries. Always bring “${template.sections[1]?.heading ?? template.sections[0]?.heading}” up to date. Heading lines (“## …”) and the lines under them (“> …”) stay as they are; write under them. Leave a section empty where there is nothing to say. Say nothing of these notes or of this request. A section may have ${sectionTokens} tokens and the whole file ${fileTokens}; what is longer is thrown away.${condense}`;
}
