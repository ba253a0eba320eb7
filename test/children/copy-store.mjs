// Copies a project from files into a database, and tells each piece.
import { copyProject } from "../../packages/core/build/stores/copy/copy-project.js";
import { openStores } from "../../packages/core/build/stores/open-stores.js";

const [home, url, project] = process.argv.slice(2);
const open = async (store) => (await openStores({ home, store })).value.store(project);
await copyProject(await open("files"), await open(url), { onPiece: () => console.log("piece") });
