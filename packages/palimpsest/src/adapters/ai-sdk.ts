export * from "@palimpsest/core/adapters/ai-sdk";
