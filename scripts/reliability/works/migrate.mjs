import { copyProject } from "../../../packages/core/build/stores/copy/copy-project.js";
import { acknowledge, must, stop } from "../acknowledge.mjs";

/** Copies a project into another store, and then again, for ever; says each piece, and each copy that is whole. */
export async function work(from, { to: address, project }, open) {
  const to = await open(address, project);
  for (;;) {
    const onPiece = ({ kind }) => acknowledge("piece", kind);
    const { skipped } = must(await copyProject(from, to, { onPiece }));
    if (skipped.length > 0) stop(skipped[0].error);
    acknowledge("whole");
  }
}
