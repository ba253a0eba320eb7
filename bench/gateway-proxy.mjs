// A plain proxy that only passes on, for comparison, in a process of its own. Says where it listens on its first line.
import { Agent, request as ask, createServer } from "node:http";

const upstream = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true, noDelay: true });
const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const { hostname, port } = upstream;
  const asked = ask(
    { hostname, port, method, path, headers: { ...headers, host: upstream.host }, agent },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  asked.on("error", () => response.destroy());
  request.pipe(asked);
});
server.on("connection", (socket) => socket.setNoDelay(true));
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);
