import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRuntime } from "../../../packages/core/build/runtime.js";
import { openDatabase } from "../../../packages/core/build/stores/postgres/database.js";
import { isDatabase } from "../open-store.mjs";
import { must } from "../outcome.mjs";

/** Whoever reads a session holds it: that is all it may leave in the source. */
const isOfLeases = (name) => name.includes(".lease");

async function filesBelow(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => !isOfLeases(name)).sort();
  const lines = [];
  for (const name of names) {
    const path = join(folder, name);
    const isFile = (await lstat(path)).isFile();
    const hash =
      isFile &&
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
    lines.push(`${name} ${hash}`);
  }
  return lines;
}

async function rowsOf(url, project) {
  const database = must(await openDatabase({ url, clock: createRuntime().clock }));
  const { schema } = database;
  const query = async (text, values = []) => must(await database.query(text, values)).rows;
  try {
    const tables = await query(
      `select distinct table_name as name from information_schema.columns
       where table_schema = $1 and column_name = 'project' and table_name <> 'lease' order by 1`,
      [schema.slice(1, -1)],
    );
    const lines = [];
    for (const { name } of tables) {
      const rows = `select t::text as row from ${schema}."${name}" as t where project = $1 order by 1`;
      for (const { row } of await query(rows, [project])) lines.push(`${name} ${row}`);
    }
    const entries = `select e::text as row from ${schema}.entry as e join ${schema}.log on log_id = log.id
      where project = $1 order by 1`;
    for (const { row } of await query(entries, [project])) lines.push(`entry ${row}`);
    return lines;
  } finally {
    await database.close();
  }
}

/** Every file or every row of a project, to see that nothing of it changes. */
export async function rawStateOf(address, project) {
  const lines = isDatabase(address)
    ? await rowsOf(address, project)
    : await filesBelow(join(address, "projects", project));
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
