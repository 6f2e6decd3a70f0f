import { hash } from 'node:crypto';
import { simulateTone } from '#appliance/simulator/index.ts';
import { startChild } from '#test/bench/support/child-process.ts';
import { command } from '#test/campaign/command.ts';
import { type Jittered, type JitterMs, type JitterSetting, jitterRules, RELAY } from './jitter.ts';
import { DOMAIN, phone, startPeerSite } from './peer-site.ts';

/** The result of one share of loss. */
export interface ToneLoss {
  readonly percent: number;
  readonly jitterMs: number;
  readonly handshakes: number;
  readonly acknowledged: number;
  /** Acknowledged, and the string was asked for and said once. */
  readonly atFirst: number;
  /** RTP packets that nftables saw and took out. */
  readonly seen: number;
  readonly lost: number;
  /** Packets of the units, as the relay kept and sent them on. */
  readonly jittered: Jittered;
}

const PASSWORD = 'correct-horse';
const HANDSHAKES = 20;
const AT_ONCE = 10;
/** RTP has one of these ports of the appliance at one end. */
const APPLIANCE_PORTS = { from: 24_000, to: 25_999 };
const TALK_MS = 25_000;

/*
 * Runs in a network namespace of its own: `unshare --net node tone-loss.ts 0/0 2/30`. One line of JSON for each pair of
 * packets lost, in percent, and jitter, in ms.
 */
command('ip', 'link', 'set', 'lo', 'up');
command('nft', 'add table inet loss');
command('nft', 'add counter inet loss seen; add counter inet loss lost');
// Before the rules of the jitter: what the relay sends on has been counted and was not lost.
command('nft', 'add chain inet loss leaving { type filter hook output priority -200; }');
for (const rule of jitterRules(APPLIANCE_PORTS)) command('nft', rule);
const relay = await startChild<JitterSetting, null, JitterMs, Jittered>(
  new URL('./jitter-relay.ts', import.meta.url),
  { ports: APPLIANCE_PORTS },
);

const users = Array.from({ length: HANDSHAKES }, (_, number) => `unit-${number}`);
const site = await startPeerSite({
  devices: users.map((user) => phone(user, PASSWORD)),
  bridges: (url) => [
    { id: 'b', name: 'Analogue', protocol: 'bs8521', destinationMatch: '^analogue$', callbackBaseUrl: url },
  ],
});
try {
  for (const pair of process.argv.slice(2)) {
    const [percent = 0, jitterMs = 0] = pair.split('/').map(Number);
    console.log(JSON.stringify(await measure(percent, jitterMs)));
  }
} finally {
  await site.close();
  await relay.stop();
}

async function measure(percent: number, jitterMs: number): Promise<ToneLoss> {
  await relay.ask(jitterMs);
  command('nft', 'flush chain inet loss leaving');
  command('nft', 'reset counters table inet loss');
  for (const end of ['dport', 'sport']) {
    const rtp = `add rule inet loss leaving ip saddr != ${RELAY} udp ${end} ${APPLIANCE_PORTS.from}-${APPLIANCE_PORTS.to}`;
    command('nft', `${rtp} counter name seen`);
    if (percent > 0) command('nft', `${rtp} numgen random mod 100 < ${percent} counter name lost drop`);
  }
  const waiting = [...users];
  let acknowledged = 0;
  let atFirst = 0;
  const ring = async (): Promise<void> => {
    for (let user = waiting.pop(); user !== undefined; user = waiting.pop()) {
      const steps: string[] = [];
      const outcome = await simulateTone({
        to: `127.0.0.1:${site.appliance.ready.udp}`,
        transport: 'udp',
        domain: DOMAIN,
        receiver: 'analogue',
        device: user,
        password: PASSWORD,
        protocol: 'bs8521',
        identity: String(
          Number.parseInt(hash('md5', `${user} ${percent} ${jitterMs}`).slice(0, 8), 16),
        ).padStart(12, '1'),
        talkMs: TALK_MS,
        onStep: ({ atMs, text }) => steps.push(`${Math.round(atMs)} ${text}`),
      });
      if (outcome.acknowledged) acknowledged++;
      const said = steps.filter((step) => step.endsWith('says its string')).length;
      if (outcome.acknowledged && said === 1) atFirst++;
      else console.error(`${percent} %, ${jitterMs} ms ${user}: ${steps.join(', ')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ring));
  return {
    ...{ percent, jitterMs, handshakes: HANDSHAKES, acknowledged, atFirst, ...counted() },
    jittered: await relay.ask(0),
  };
}

function counted(): Pick<ToneLoss, 'seen' | 'lost'> {
  const { nftables } = JSON.parse(command('nft', '--json', 'list counters')) as {
    readonly nftables: readonly { readonly counter?: { readonly name: string; readonly packets: number } }[];
  };
  const packets = (name: string) =>
    nftables.find(({ counter }) => counter?.name === name)?.counter?.packets ?? 0;
  return { seen: packets('seen'), lost: packets('lost') };
}
