import { isDeepStrictEqual } from "node:util";
import { copyProject } from "../../../packages/core/build/stores/copy/copy-project.js";
import { createSeededRandom } from "../../../packages/testing/build/seeded-random.js";
import { contentsOf, differences, strangers } from "../migration/contents.mjs";
import { growProject, makeProject } from "../migration/make-project.mjs";
import { portraitOf } from "../migration/portrait.mjs";
import { rawStateOf } from "../migration/raw-state.mjs";
import { openStore } from "../open-store.mjs";
import { must } from "../outcome.mjs";

const maxKills = 3;
const open = (address, project) => openStore(address, undefined, project);

/** Both sides the same, by bytes and by ports; once more changes nothing; and the copy can be worked with. */
async function finish(from, to, source) {
  const first = must(await copyProject(from, to));
  const problems = first.skipped.map(({ what, error }) => `${what} was not copied: ${error.message}`);
  const copy = await contentsOf(to);
  problems.push(...differences(source, copy));
  const again = must(await copyProject(from, to));
  const pieces = Object.values(again.pieces).reduce((sum, count) => sum + count, 0);
  if (again.present !== pieces) problems.push(`${pieces - again.present} pieces were copied once more`);
  const portraits = [await portraitOf(from), await portraitOf(to)];
  for (const part of Object.keys(portraits[0]))
    if (!isDeepStrictEqual(portraits[0][part], portraits[1][part]))
      problems.push(`${part} are not what they are in the source`);
  const writer = must(await to.logs.open("ses_0", () => undefined));
  must(await writer.append([{ kind: "message", message: { type: "user", content: "goes on" } }]));
  must(await writer.close());
  return problems;
}

/** Migrations in one direction: one project after the other, each killed some times before it is finished. */
function createDirection({ from, to, name, random }) {
  let number = 0;
  let killsLeft = 0;
  let project = "";
  let sources = [];
  let raw;

  async function look() {
    sources.push(await contentsOf(await open(from, project)));
    raw = await rawStateOf(from, project);
  }

  const settle = async () => finish(await open(from, project), await open(to, project), sources.at(-1));
  const named = (problem) => `${project}: ${problem}`;

  return {
    async order() {
      if (killsLeft === 0) {
        number += 1;
        project = `${name}-${number}`;
        killsLeft = 1 + random.below(maxKills);
        sources = [];
        await makeProject(await open(from, project), random);
        await look();
      } else if (random.below(2) === 0) {
        await growProject(await open(from, project), random);
        await look();
      }
      return { work: "migrate", address: from, to, project };
    },
    async check({ said }) {
      const problems = strangers(sources, await contentsOf(await open(to, project)));
      if ((await rawStateOf(from, project)) !== raw) problems.push("the source has changed");
      killsLeft -= 1;
      const isOver = killsLeft === 0;
      if (isOver) problems.push(...(await settle()));
      const isCut = said.every(([word]) => word !== "whole");
      return {
        problems: problems.map(named),
        reached: {
          migrations: isOver ? 1 : 0,
          cut: isCut ? 1 : 0,
          pieces: said.filter(([word]) => word === "piece").length,
        },
      };
    },
    /** What was killed last is brought to its end too. */
    async end() {
      return killsLeft === 0 ? [] : (await settle()).map(named);
    },
  };
}

/** Sees that a migration that was killed ends as if it had not been, in both directions, and leaves its source alone. */
export function createMigrationWitness({ stores: { folder, url }, seed }) {
  const random = createSeededRandom(seed + 1);
  // A store that is used again has the projects of before.
  const begun = Date.now().toString(36);
  const directions = [
    createDirection({ from: folder, to: url, name: `in-${seed}-${begun}`, random }),
    createDirection({ from: url, to: folder, name: `out-${seed}-${begun}`, random }),
  ];

  return {
    name: "migration",
    isBetweenStores: true,
    maxOperations: 500,
    maxLines: 50,
    async orders() {
      const orders = [];
      for (const direction of directions) orders.push(await direction.order());
      return orders;
    },
    async check(ends) {
      const checks = [];
      for (const [at, direction] of directions.entries()) checks.push(await direction.check(ends[at]));
      const sum = (name) => checks.reduce((total, { reached }) => total + reached[name], 0);
      const reached = { migrations: sum("migrations"), cut: sum("cut"), pieces: sum("pieces") };
      return { problems: checks.flatMap(({ problems }) => problems), reached };
    },
    async end() {
      const problems = [];
      for (const direction of directions) problems.push(...(await direction.end()));
      return problems;
    },
  };
}
