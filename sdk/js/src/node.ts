import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallbackHandler } from './callback/index.ts';

/** Most bytes that are read from a request before its connection is closed. */
const MOST_BYTES = 1_048_576;

/**
 * A listener for `http.createServer` and `https.createServer`. A framework must not have read the body before: express
 * takes it in front of `express.json()`.
 */
export function nodeListener(
  handler: CallbackHandler,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    answer(handler, request, response).catch((cause: unknown) => {
      // The connection broke, or the request was no HTTP that Fetch can express.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ reason: `The request could not be read: ${String(cause)}` }));
    });
  };
}

async function answer(
  handler: CallbackHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > MOST_BYTES) break;
    pieces.push(piece);
  }
  if (length > MOST_BYTES) {
    response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ reason: `The body has more than ${MOST_BYTES} bytes.` }));
    return;
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, [value].flat().join(', '));
  const method = request.method ?? 'POST';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // Only the path is read: the origin that counts is the audience of the token.
  const answered = await handler(
    new Request(new URL(request.url ?? '/', 'https://localhost'), {
      method,
      headers,
      ...(hasBody ? { body: Buffer.concat(pieces) } : {}),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(await answered.text());
}
