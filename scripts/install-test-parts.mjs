// Installs what only tests need: a browser, and the libraries that adapters are for. Does nothing where that is done.
import "./install-browser.mjs";
import { installPart } from "./install-part.mjs";

const reason = installPart("test/adapters", "the libraries that adapters are for");
if (reason !== null) console.log(`They could not be installed: ${reason}`);
