export * from "@palimpsest/testing";
