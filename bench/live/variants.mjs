import { policies } from "../../packages/palimpsest/build/replay/index.js";

/** Settings of a mode, as replay's policy of that name has them. */
const settingsOf = (mode) => policies.find(({ name }) => name === mode).settings;

/** How an agent is opened: as it is installed, with the setting of a mode and nothing else, or with no layer at all. */
export const variants = {
  faithful: () => ({ settings: settingsOf("faithful") }),
  thrifty: () => ({ settings: settingsOf("thrifty") }),
  "layers-off": () => ({ layers: [] }),
};
