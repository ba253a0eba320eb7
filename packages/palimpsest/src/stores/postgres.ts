export * from "@palimpsest/core/stores/postgres";
