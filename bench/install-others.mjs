import { installPart } from "../scripts/install-part.mjs";

/** Installs what is measured beside the engine, on first use; gives why that could not be done, or `null`. */
export const installOthers = () => installPart("bench/others", "what is measured beside the engine");
