export * from "@palimpsest/core/stores/files";
