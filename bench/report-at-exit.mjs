// Imported before a program: when it ends, the last line of its standard error says how long it ran and worked.
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const said = { ms: performance.now(), cpuMs: (user + system) / 1000 };
  process.stderr.write(`\n${JSON.stringify(said)}`);
});
