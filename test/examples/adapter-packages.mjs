// For `node --import`: the libraries that adapters are for are found where the tests of the adapters have them.
import { register } from "node:module";

register("./resolve-adapter-packages.mjs", import.meta.url);
