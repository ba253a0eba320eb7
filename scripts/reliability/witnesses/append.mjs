import { must } from "../outcome.mjs";

const roundsPerSession = 8;

/** Sees that no acknowledged entry is lost, doubled or moved, whatever befalls the one who appends. */
export function createAppendWitness({ openStore, seed }) {
  let round = 0;
  let known = [];

  return {
    name: "append",
    maxOperations: 100,
    maxLines: 30,
    async orders() {
      // A fresh session now and then keeps the log, and so the check, small.
      if (round % roundsPerSession === 0) known = [];
      const session = `append-${seed}-${Math.floor(round / roundsPerSession)}`;
      const durability = round % 2 === 0 ? "process" : "fsync";
      round += 1;
      return [{ work: "append", session, durability, seed: seed + round }];
    },
    async check([{ order, said }]) {
      const acknowledged = said.filter(([word]) => word === "entry").map(([, id]) => id);
      const found = [];
      const { logs } = await openStore();
      const scanned = await logs.scan(order.session, ({ kind, id }) => kind === "message" && found.push(id));
      if (!scanned.ok && scanned.error.code === "not-found" && known.length + acknowledged.length === 0) {
        return { problems: [], reached: { entries: 0 } };
      }
      const report = must(scanned);
      const present = new Set(found);
      const problems = [
        ...acknowledged.filter((id) => !present.has(id)).map((id) => `entry ${id} is lost`),
        ...known.filter((id, at) => found[at] !== id).map((id) => `entry ${id} is lost or moved`),
      ];
      if (present.size !== found.length) problems.push("an entry is doubled");
      if (report.corruptLines > 0) problems.push(`${report.corruptLines} lines are corrupt`);
      const entries = found.length - known.length;
      known = found;
      return { problems, reached: { entries, torn: report.tornBytes > 0 ? 1 : 0 } };
    },
  };
}
