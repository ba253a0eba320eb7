/** Names of the Postgres stores that `palimpsest` needs, apart: nobody else should load them. */
export { lookAtFlags } from "../stores/postgres/flag-store.ts";
export { migrations } from "../stores/postgres/migrations/index.ts";
