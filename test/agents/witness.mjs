import { once } from "node:events";
import { createServer } from "node:http";

/** A proxy that lets nobody through and remembers where they wanted to go. */
export async function createWitness() {
  const hosts = [];
  const server = createServer((request, response) => {
    hosts.push(new URL(request.url, "http://unknown").host);
    response.writeHead(502).end();
  });
  server.on("connect", ({ url }, socket) => {
    hosts.push(url);
    socket.on("error", () => {});
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  const local = "127.0.0.1,localhost";
  const environment = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: local };
  const small = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    hosts,
    environment: { ...environment, ...small },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
