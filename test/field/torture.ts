import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPeerSite } from '#test/peers/support/peer-site.ts';
import type { Row } from './support/table.ts';
import { TORTURE, type TortureAnswer, UNFINISHED } from './torture.codes.ts';

/**
 * A trunk, so that who calls is no reason to refuse. Answers without `rport` come to the port of the Via; an address for each
 * input keeps what is repeated to one from being heard by the next.
 */
const CARRIER = '127.0.41';
const STRANGER = '127.0.42.1';
const DEFAULT_PORT = 5060;
/** Longer than the 500 ms until an INVITE that is refused is refused again. */
const HEARING_MS = 1_500;

/** RFC 4475's own bytes from a folder of `<name>.dat`, over UDP and over TCP, to a running appliance. */
export async function torture(folder: string): Promise<readonly Row[]> {
  const site = await startPeerSite({
    devices: [],
    trunks: [{ id: 'carrier', direction: 'in', ipAllowList: [`${CARRIER}.0/24`] }],
  });
  const rows: Row[] = [];
  try {
    const { udp, tcp } = site.appliance.ready;
    for (const [number, [name, expected]] of Object.entries(TORTURE).entries()) {
      const bytes = readFileSync(join(folder, `${name}.dat`));
      for (const [transport, say] of [['UDP', overUdp] as const, ['TCP', overTcp] as const]) {
        const said = await say(bytes, transport === 'UDP' ? udp : tcp, `${CARRIER}.${number + 1}`);
        const lives = (await overUdp(options(), udp, STRANGER)).some((status) => status >= 200);
        const { counts, logged } = await site.appliance.ask('report');
        const sound = lives && counts.defects === 0;
        const answer = `${said.join(' ') || 'none'}${logged.length === 0 ? '' : `, logged ${logged.join('; ')}`}`;
        const good =
          sound && isExpected(said, transport === 'TCP' && UNFINISHED.has(name) ? 'none' : expected);
        rows.push({ name: `${name} ${transport}`, verdict: good ? 'as expected' : 'differs', answer });
      }
    }
  } finally {
    await site.close();
  }
  return rows;
}

function isExpected(said: readonly number[], expected: TortureAnswer): boolean {
  const final = said.find((status) => status >= 200);
  if (expected === 'none') return said.length === 0;
  if (final === undefined) return false;
  return expected === 'final' ? final !== 400 : expected.includes(final);
}

/** A request that any appliance answers: it shows that the one before did no harm. */
const options = (): Buffer =>
  Buffer.from(
    [
      'OPTIONS sip:bench.example SIP/2.0',
      `Via: SIP/2.0/UDP ${STRANGER};branch=z9hG4bK${Math.random().toString(36).slice(2)}`,
      'Max-Forwards: 70',
      `From: <sip:torture@bench.example>;tag=${Math.random().toString(36).slice(2)}`,
      'To: <sip:bench.example>',
      `Call-ID: ${Math.random().toString(36).slice(2)}`,
      'CSeq: 1 OPTIONS',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
  );

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/^SIP\/2\.0 (\d{3}) /gm)].map(([, status]) => Number(status));

/** Statuses that came back, each once. */
async function overUdp(bytes: Buffer, port: number, from: string): Promise<number[]> {
  const socket = createSocket('udp4');
  const said = new Set<number>();
  socket.on('message', (answer) => {
    for (const status of statusesIn(answer.toString('latin1'))) said.add(status);
  });
  socket.bind(viaPort(bytes), from);
  await once(socket, 'listening');
  socket.send(bytes, port, '127.0.0.1');
  await untilFinal(said);
  socket.close();
  return [...said];
}

async function overTcp(bytes: Buffer, port: number, from: string): Promise<number[]> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from });
  const said = new Set<number>();
  socket.on('data', (answer) => {
    for (const status of statusesIn(answer.toString('latin1'))) said.add(status);
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  await untilFinal(said);
  socket.destroy();
  return [...said];
}

async function untilFinal(said: ReadonlySet<number>): Promise<void> {
  const until = performance.now() + HEARING_MS;
  while (performance.now() < until && ![...said].some((status) => status >= 200)) await pause(20);
}

/** Port of the first Via; 5060 where it names none. */
function viaPort(bytes: Buffer): number {
  const text = bytes.toString('latin1').replace(/\r\n[ \t]+/g, ' ');
  const via = /^(?:via|v)[ \t]*:[^\r\n;,]*?:[ \t]*(\d{2,5})[ \t]*[;,\r]/im.exec(text);
  const port = Number(via?.[1] ?? DEFAULT_PORT);
  return port > 0 && port < 65_536 ? port : DEFAULT_PORT;
}
