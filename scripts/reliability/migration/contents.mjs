import { must } from "../outcome.mjs";

const nameOf = ({ at, bytes, ...piece }) => JSON.stringify(piece);

/** All bytes of a project by what they are; a log's are in one, since stores cut it at different places. */
export async function contentsOf({ archive }) {
  const pieces = [];
  for (const session of must(await archive.sessions())) pieces.push(...must(await archive.piecesOf(session)));
  pieces.push(...must(await archive.others()));
  const contents = new Map();
  for (const piece of pieces) {
    const name = nameOf(piece);
    const before = contents.get(name);
    if (before !== undefined && piece.kind !== "log") throw new Error(`${name} is there twice`);
    const bytes = must(await archive.read(piece)) ?? Buffer.from("nothing");
    contents.set(name, Buffer.concat(before === undefined ? [bytes] : [before, bytes]));
  }
  return contents;
}

const isLog = (name) => name.includes('"kind":"log"');

/** What of a copy is not as in its source. */
export function differences(source, copy) {
  const others = [...copy].filter(([name, bytes]) => !source.get(name)?.equals(bytes));
  const missing = [...source.keys()].filter((name) => !copy.has(name));
  return [
    ...others.map(([name]) => `${name} is ${source.has(name) ? "other bytes" : "nothing"} in the source`),
    ...missing.map((name) => `${name} is lost`),
  ];
}

/** What of a copy that is not whole is in none of the states that its source has had: pieces and ends of logs may be missing. */
export function strangers(sources, copy) {
  const isOf = (source, [name, bytes]) =>
    source
      .get(name)
      ?.subarray(0, isLog(name) ? bytes.length : undefined)
      .equals(bytes);
  const found = [...copy].filter((piece) => !sources.some((source) => isOf(source, piece)));
  return found.map(([name]) => `${name} has never been so in the source`);
}
