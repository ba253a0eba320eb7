// Imports the entries that it is given, and tells why those that cannot be imported cannot.
const failed: Record<string, string> = {};
for (const entry of process.argv.slice(2)) {
  try {
    await import(entry);
  } catch (error) {
    failed[entry] = String(error);
  }
}
console.log(JSON.stringify(failed));

export {};
