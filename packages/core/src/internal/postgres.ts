/** What `palimpsest` needs of the stores on Postgres, apart: nobody else should load them. */
export { lookAtFlags } from "../stores/postgres/flags/look-at-flags.ts";
export { migrations } from "../stores/postgres/migrations/index.ts";
