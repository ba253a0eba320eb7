// Required before a program: the last line of its standard error says how many milliseconds of CPU it took. As CommonJS,
// so that it does not start the loader of ES modules for a program that has none.
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`\n${(user + system) / 1000}`);
});
