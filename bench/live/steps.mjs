import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The task, prompt by prompt: facts are told, files are read, some of them changed behind the agent's back, offsets that
 * were told in the beginning are put in, and what was seen first is asked for last. Each step is
 * { kind, prompt, check(answer, folder), after?(folder) }.
 */
export function makeSteps({ parts, releaseName }) {
  const edited = parts.filter((_, at) => at % 3 === 0);
  const changed = parts.filter((_, at) => at % 3 === 1);
  return [
    tell(edited, releaseName),
    ...parts.map((part) => read(part, changed.includes(part))),
    ...edited.map(edit),
    ...changed.map(askLimit),
    ask(`What is the name of the release? Answer with the name alone.`, releaseName),
    ...edited.map(({ name, rightOffset }) =>
      ask(`Which offset did I give you for ${name}? Answer with the number alone.`, String(rightOffset)),
    ),
  ];
}

function tell(edited, releaseName) {
  const offsets = edited.map(({ name, rightOffset }) => `- ${name}: ${rightOffset}`).join("\n");
  return {
    kind: "tell",
    prompt: `Before we begin, two things to keep. The release is called ${releaseName}. These are the right offsets of total(), which are in no file:\n${offsets}\nDo nothing with them yet; answer with "noted".`,
    check: async (answer) => /noted/i.test(answer),
  };
}

function read({ name, limit }, isChanged) {
  const path = `src/${name}.mjs`;
  return {
    kind: "read",
    prompt: `Read ${path} whole, without a limit of lines. Answer with the number that its limit has, alone.`,
    check: async (answer) => says(answer, String(limit)),
    ...(isChanged && { after: (folder) => change(join(folder, path), limit) }),
  };
}

/** From now on the file says something else: what it said can only be remembered or recalled. */
async function change(path, limit) {
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(`limit = ${limit};`, "limit = 0;"));
}

function edit({ name }) {
  return {
    kind: "edit",
    prompt: `The offset that total() adds in src/${name}.mjs is wrong. Put in the one that I gave you in the beginning, run "node check.mjs ${name}", and answer with what it printed.`,
    check: (_answer, folder) => passes(folder, name),
  };
}

function askLimit({ name, limit }) {
  return ask(
    `src/${name}.mjs has been changed since. Which number did its limit have when you first read it? Answer with the number alone.`,
    String(limit),
  );
}

function ask(prompt, wanted) {
  return { kind: "ask", prompt, check: async (answer) => says(answer, wanted) };
}

function says(answer, wanted) {
  return answer.replaceAll(/(?<=\d),(?=\d{3})/g, "").includes(wanted);
}

function passes(folder, name) {
  return new Promise((resolve) => {
    execFile(process.execPath, ["check.mjs", name], { cwd: folder }, (error) => resolve(error === null));
  });
}
