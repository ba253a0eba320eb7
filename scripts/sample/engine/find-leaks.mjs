/** Folders that a machine which makes the sample may live in, and what stands for them. */
const machineFolder = /(?<![\w.~-])\/(tmp|work|root|private|Users)\//g;
const shownFolders = {
  tmp: "/var/tmp/",
  work: "/srv/work/",
  root: "/home/dev/",
  private: "/var/private/",
  Users: "/home/",
};
const climbing = /\.\.\/(?:tmp|work|root|private|Users)\//;
const shownAround = 60;

/** A source text that names such a folder as an example, with one that no machine here has. */
export function withoutMachineFolders(text) {
  return text.replace(machineFolder, (_match, name) => shownFolders[name]);
}

/** Every place where a text says something about the machine it was made on. */
export function findLeaks(text, forbidden) {
  const places = [
    text.search(machineFolder),
    text.search(climbing),
    ...forbidden.map((name) => text.indexOf(name)),
  ];
  return places
    .filter((at) => at !== -1)
    .map((at) => `…${text.slice(Math.max(0, at - shownAround), at + shownAround)}…`);
}
