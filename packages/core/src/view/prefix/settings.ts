import { onByDefault } from "../../settings/flag.ts";

export const prefixFlags = {
  "prefix-guard": onByDefault("Watches the prompt cache and explains each break."),
};
