/** What `palimpsest` needs of the stores on Postgres, apart: nobody else should load them. */
export { lookAtFlags } from "../stores/postgres/flag-store.ts";
export { migrations } from "../stores/postgres/migrations/index.ts";
