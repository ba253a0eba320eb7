// Does one kind of work for ever, until it is killed or kills itself in a disk operation. Argument: the order, as JSON.
import { stop } from "../../scripts/reliability/acknowledge.mjs";
import { createKillingDisk } from "../../scripts/reliability/killing-disk.mjs";
import { openStore } from "../../scripts/reliability/open-store.mjs";

const works = {
  append: () => import("../../scripts/reliability/works/append.mjs"),
  offload: () => import("../../scripts/reliability/works/offload.mjs"),
  memory: () => import("../../scripts/reliability/works/memory.mjs"),
  "send-mail": () => import("../../scripts/reliability/works/send-mail.mjs"),
  "take-mail": () => import("../../scripts/reliability/works/take-mail.mjs"),
  dream: () => import("../../scripts/reliability/works/dream.mjs"),
  migrate: () => import("../../scripts/reliability/works/migrate.mjs"),
};

const { address, death, work: name, ...order } = JSON.parse(process.argv[2]);
process.on("unhandledRejection", stop);
// Whoever started it is gone: nobody is left to kill it.
process.stdin.resume().on("end", () => process.exit(4));
const { work } = await works[name]();
const watch = (disk) => (death.dieAt === undefined ? disk : createKillingDisk(disk, death));
const open = (at, project) => openStore(at, watch, project);
await work(await open(address, order.project), order, open).catch(stop);
