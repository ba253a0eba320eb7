// Installs what only tests need: a browser, a Postgres server, and the libraries that adapters are for. Does nothing where that is done.
import "./install-browser.mjs";
import { installPart } from "./install-part.mjs";
import { isPostgresPlatform } from "./postgres/server-binaries.mjs";

const parts = [
  ["test/adapters", "the libraries that adapters are for", true],
  ["test/sdks/newest", "the newest SDKs that types are held against", true],
  ["test/sdks/oldest", "the oldest SDKs that types are held against", true],
  ["test/postgres", "the Postgres server that tests start", isPostgresPlatform()],
];
for (const [folder, what, isWanted] of parts) {
  const reason = isWanted ? installPart(folder, what) : null;
  if (reason !== null) console.log(`${folder} could not be installed: ${reason}`);
}
