/** What a tool call with this number gave back: long, and different from every other. */
export const resultText = (number) =>
  Array.from(
    { length: 300 + (number % 7) * 500 },
    (_, line) => `${number}: line ${line} of the output\n`,
  ).join("");

const words = ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath"];

export const topicPath = (topic) => `count-${words[topic]}.md`;

/** Topics share few words, so that nobody who puts memory in order takes one for another. */
export function topicText(topic, number) {
  const own = Array.from({ length: 12 }, (_, at) => `${words[topic]}${at}`).join(" ");
  const head = `name: Count of ${words[topic]}\ndescription: ${words[topic]} over ${Math.floor(number / 20)}\ntype: reference`;
  return `---\n${head}\nauthor: agent\ntrust: trusted\n---\n\n${own}\n${number}\n`;
}

/** The number that a text of `topicText` holds. */
export const numberIn = (text) => Number(/\n(\d+)\n$/.exec(text)?.[1] ?? Number.NaN);

/** A memory about a matter, as a person would leave it lying around. */
export function matterText(name, body) {
  return `---\nname: ${name}\ndescription: when ${name} comes up\ntype: reference\nauthor: agent\ntrust: trusted\n---\n\n${body}\n`;
}
