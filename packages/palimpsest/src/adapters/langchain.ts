export * from "@palimpsest/core/adapters/langchain";
