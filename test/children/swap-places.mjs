// Swaps what is at a path for a link to somewhere else and back, as fast as it can, until its input ends.
// Arguments: the path, and where the link leads.
import { lstatSync, renameSync, symlinkSync, unlinkSync } from "node:fs";

const [path = "", target = ""] = process.argv.slice(2);
const parked = `${path}.parked`;
const link = `${path}.link`;
let swaps = 0;
let isOver = false;
let extras = 0;
let turn = 20_261_118;

/** What others have made at the path meanwhile does not stop it. */
function attempt(call) {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}

/** Now short, now long, so that every step of the others is met. */
function linger(...mosts) {
  turn = (turn * 48_271) % 2_147_483_647;
  const most = mosts[turn % mosts.length] ?? 1;
  for (let look = turn % most; look > 0; look -= 1) attempt(() => lstatSync(path));
}

function swap() {
  for (let time = 0; time < 20; time += 1) {
    attempt(() => renameSync(path, parked));
    attempt(() => symlinkSync(target, link));
    if (!attempt(() => renameSync(link, path))) attempt(() => renameSync(path, `${path}.extra-${extras++}`));
    linger(30, 300);
    attempt(() => lstatSync(path).isSymbolicLink() && unlinkSync(path));
    if (!attempt(() => renameSync(parked, path)))
      attempt(() => renameSync(path, `${path}.extra-${extras++}`));
    attempt(() => renameSync(parked, path));
    swaps += 1;
    linger(30, 300, 3_000);
  }
  if (isOver) console.log(swaps);
  else setImmediate(swap);
}

process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();
console.log("ready");
swap();
