/**
 * A disk on which operation number `dieAt` is this process's last: it is killed before it or, where `isLate`, while the
 * system does it.
 */
export function createKillingDisk(disk, { dieAt, isLate }) {
  let operations = 0;

  function call(target, member, given) {
    operations += 1;
    const isLast = operations === dieAt;
    if (isLast && !isLate) process.kill(process.pid, "SIGKILL");
    const result = member.apply(target, given);
    if (isLast) process.kill(process.pid, "SIGKILL");
    return result;
  }

  function watched(target) {
    return new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        return async (...given) => {
          const result = await call(object, member, given);
          return name === "open" && result.ok ? { ...result, value: watched(result.value) } : result;
        };
      },
    });
  }
  return watched(disk);
}
