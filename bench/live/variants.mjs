import { defaultLayers } from "../../packages/palimpsest/build/index.js";
import { policies } from "../../packages/palimpsest/build/replay/index.js";

/** How an agent is opened: as replay's policy of that name has it, as it is installed, or with no layer at all. */
export const variants = {
  engine: () => ({
    layers: defaultLayers(),
    settings: policies.find(({ name }) => name === "engine").settings,
  }),
  defaults: () => ({}),
  "layers-off": () => ({ layers: [] }),
};
