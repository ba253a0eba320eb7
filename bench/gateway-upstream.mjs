// A provider for the gateway's benchmark, in a process of its own: answers every conversation after a fixed time, in a
// stream whose usage says how large the prompt was. Says where it listens on its first line.
import { createServer } from "node:http";

const [thinkMs = "20", window = "1000000"] = process.argv.slice(2);
const bytesPerToken = 4;
let answers = 0;

const event = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

function streamFor(bytes) {
  answers += 1;
  const text = `This is the answer with the number ${answers} of this provider.`;
  const usage = { input_tokens: Math.round(bytes / bytesPerToken), output_tokens: 20 };
  const message = {
    id: `msg_${answers}`,
    type: "message",
    role: "assistant",
    model: "claude-bench",
    content: [],
    usage,
  };
  return [
    event("message_start", { message }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 20 } }),
    event("message_stop", {}),
  ].join("");
}

const server = createServer((request, response) => {
  if (request.url.startsWith("/v1/models")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "model", max_input_tokens: Number(window), max_tokens: 8_000 }));
    return;
  }
  let bytes = 0;
  request.on("data", (chunk) => {
    bytes += chunk.length;
  });
  request.on("end", () =>
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(streamFor(bytes));
    }, Number(thinkMs)),
  );
});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);
