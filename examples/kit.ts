import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type CallbackKey, createHandler, type Handlers } from '#sdk/js/src/callback/index.ts';
import { createClient } from '#sdk/js/src/client/index.ts';
import { nodeListener } from '#sdk/js/src/node.ts';

/* The parts that every example has in common. A program of your own imports them from `carillon-sdk`. */

/** The facts of the running demo, `npm start -- --callback http://localhost:3000`. */
interface Demo {
  readonly api: string;
  readonly token: string;
  readonly domain: string;
  readonly sip: string;
  readonly dc09: string;
  /** Origin that callbacks are signed for, the tenant that signs, and the file of the public key. */
  readonly audience: string;
  readonly issuer: string;
  readonly callbackKey: string;
  /** The application of one's own. */
  readonly callback?: string;
  readonly telephonePassword: string;
}

const FILE = process.env.DEMO_READY ?? '.carillon/demo/ready.json';

function readDemo(): Demo {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    console.error(`No demo has run here (${FILE}). Start one: npm start -- --callback http://localhost:3000`);
    process.exit(1);
  }
}

export const demo = readDemo();
// A file is left behind by a demo that has ended: an example would wait for its callbacks for ever.
await fetch(demo.api).catch(() => {
  console.error(
    `The demo of ${FILE} does not answer at ${demo.api}. Start it: npm start -- --callback http://localhost:3000`,
  );
  process.exit(1);
});
export const { domain } = demo;

/** The API of the platform, with repeats and Idempotency-Key. */
export const client = createClient({ baseUrl: demo.api, token: demo.token });

/** Where `carillon listen` forwards copies to, when the demo answers its callbacks itself. */
const COPIES = 'http://localhost:3000';

/** The facts by which callbacks are checked: those of the demo, or of the copies of `carillon listen` (LISTEN_SECRET). */
function checkOf(secret: string | undefined): { url: string; audience: string; key: CallbackKey } {
  const url = demo.callback ?? (secret === undefined ? undefined : COPIES);
  if (url === undefined) {
    console.error(
      'The demo answers its callbacks itself. Start it again: npm start -- --callback http://localhost:3000',
    );
    process.exit(1);
  }
  if (secret !== undefined)
    return { url, audience: new URL(url).origin, key: { algorithm: 'HS256', secret } };
  const publicKey = readFileSync(demo.callbackKey, 'utf8');
  return { url, audience: demo.audience, key: { algorithm: 'ES256', publicKey } };
}

/** Takes callbacks where the demo sends them: checks signatures, knows repeats, runs the function of each callback. */
export async function serve(on: Handlers): Promise<void> {
  const { url, audience, key } = checkOf(process.env.LISTEN_SECRET);
  const handler = createHandler({
    keys: [key],
    audience,
    domain: demo.issuer,
    on,
    // Records that an example does not need are accepted.
    other: () => ({ success: true }),
  });
  const { hostname, port } = new URL(url);
  const server = createServer(nodeListener(handler));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), hostname, resolve);
  }).catch(() => {
    console.error(`Port ${port} has another program, perhaps another example. End it, and start again.`);
    process.exit(1);
  });
  console.log(`takes callbacks at ${url}`);
}
