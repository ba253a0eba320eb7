// Conversations from a file, or from all JSON files of a folder: LoCoMo's own JSON, or the plain shape that the help of
// bench/recall shows.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export function readConversations(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return readFile(path);
  const names = readdirSync(path).filter((name) => name.endsWith(".json"));
  if (names.length === 0) throw new Error(`${path} holds no .json file.`);
  return names.sort().flatMap((name) => readFile(join(path, name)));
}

function readFile(file) {
  let read;
  try {
    read = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON: ${cause.message}`);
  }
  return (Array.isArray(read) ? read : [read]).map((one, at) =>
    toConversation(one, `${file}, conversation ${at + 1}`),
  );
}

function toConversation(one, where) {
  const said = one?.conversation ? fromLoCoMo(one) : one;
  if (!Array.isArray(said?.turns) || !Array.isArray(said?.questions))
    throw new Error(`${where} has neither turns and questions nor conversation and qa: see --help.`);
  const turns = said.turns.map(({ id, session = "1", speaker = "", text }) => {
    if (typeof id !== "string" || typeof text !== "string")
      throw new Error(`${where} has a turn without id or text.`);
    return { id, session: String(session), speaker, text };
  });
  const known = new Set(turns.map(({ id }) => id));
  if (known.size !== turns.length) throw new Error(`${where} has two turns with one id.`);
  const questions = said.questions
    .map(({ question, evidence }) => ({
      question: String(question),
      evidence: toIds(evidence).filter((id) => known.has(id)),
    }))
    .filter(({ evidence }) => evidence.length > 0);
  return { turns, questions };
}

/** LoCoMo has sessions by number in an object; a picture's caption is all that can be searched of it. */
function fromLoCoMo({ conversation, qa }) {
  const turns = Object.entries(conversation).flatMap(([session, said]) =>
    /^session_\d+$/.test(session) && Array.isArray(said)
      ? said.map(({ dia_id, speaker, text = "", blip_caption }) => ({
          id: dia_id,
          session,
          speaker,
          text: [text, blip_caption && `[picture: ${blip_caption}]`].filter(Boolean).join(" "),
        }))
      : [],
  );
  return { turns, questions: qa ?? [] };
}

/** "D1:3", ["D1:3", "D2:1"], and what its annotators wrote: "D8:6; D9:17", "D:11:26", "D1:03". */
function toIds(evidence) {
  return [evidence ?? []]
    .flat(3)
    .flatMap((text) => String(text).split(/[;,\s]+/))
    .map((id) => id.replace(/^D:/, "D").replace(/:0+(?=\d)/, ":"))
    .filter(Boolean);
}
