export { createLocalEmbeddings } from "./local-embeddings.ts";
