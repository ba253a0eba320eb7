// One resume in a process of its own: prints { ms, peakHeap }.
import { openSession } from "../packages/palimpsest/build/index.js";

const [home, id] = process.argv.slice(2);
let peakHeap = 0;
const sample = () => {
  peakHeap = Math.max(peakHeap, process.memoryUsage().heapUsed);
};
const timer = setInterval(sample, 20);
const started = performance.now();
const session = await openSession({ home, cwd: home, id, resume: true });
const ms = performance.now() - started;
sample();
clearInterval(timer);
console.log(JSON.stringify({ ms, peakHeap }));
await session.close();
