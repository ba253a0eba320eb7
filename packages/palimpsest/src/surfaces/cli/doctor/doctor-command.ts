import { createRuntime, decideStore } from "@palimpsest/core/internal";
import { wrapText } from "../config/wrap-text.ts";
import { exitWith } from "../exit-codes.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { type Check, good } from "./check.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDataRoot, checkNode, checkProject } from "./check-machine.ts";

export interface DoctorOptions {
  readonly json?: boolean;
}

export async function runDoctor(context: CommandContext, { json }: DoctorOptions): Promise<void> {
  const { terminal, home, store } = context;
  const { clock, environment } = createRuntime();
  const choice = orThrow(decideStore({ environment, ...(store !== undefined && { store }) }));
  const stored =
    choice.kind === "postgres"
      ? await checkDatabase(choice.url, clock)
      : [good("store", "files, in the data root")];
  // Behind a store that cannot be used there is nothing to look at.
  const isUsable = stored.every(({ name, state }) => name !== "store" || state !== "wrong");
  const checks = [
    checkNode(process.version),
    await checkDataRoot(home),
    ...stored,
    ...(isUsable ? await checkProject(context) : []),
  ];
  const isGood = checks.every(({ state }) => state !== "wrong");
  await terminal.write(json ? toJson({ isGood, checks }) : `${checkLines(checks, terminal).join("\n")}\n`);
  if (!isGood) exitWith("failed");
}

function checkLines(checks: readonly Check[], { style, columns }: Terminal): readonly string[] {
  const marks = { good: style.green("✓"), notice: style.yellow("!"), wrong: style.red("✗") };
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.flatMap(({ name, state, message, fix }) => {
    const indent = " ".repeat(width + 4);
    const lines = [message, ...(fix === undefined ? [] : [`fix: ${fix}`])].flatMap((text) =>
      wrapText(toHarmless(text), columns - indent.length),
    );
    const head = `${marks[state]} ${style.bold(name.padEnd(width))}  `;
    return lines.map((line, index) => `${index === 0 ? head : indent}${line}`);
  });
}
