import { fileURLToPath } from "node:url";

/** The folder of this repository, without a slash behind it. */
export const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
