import { hash } from 'node:crypto';
import { simulateTone } from '#appliance/simulator/index.ts';
import { command } from '#test/campaign/command.ts';
import { DOMAIN, phone, startPeerSite } from './peer-site.ts';

/** What one share of loss came to. */
export interface ToneLoss {
  readonly percent: number;
  readonly handshakes: number;
  readonly acknowledged: number;
  /** Acknowledged, and the string was asked for and said once. */
  readonly atFirst: number;
  /** RTP packets that nftables saw and took out. */
  readonly seen: number;
  readonly lost: number;
}

const PASSWORD = 'correct-horse';
const HANDSHAKES = 20;
const AT_ONCE = 7;
/** Ports of RTP: the appliance's and those of the telephones. */
const RTP = '24000-25999, 30000-54999';
const TALK_MS = 25_000;

/*
 * Runs in a network namespace of its own: `unshare --net node tone-loss.ts 0 1 2`. One line of JSON for each percentage.
 */
command('ip', 'link', 'set', 'lo', 'up');
command('nft', 'add table inet loss');
command('nft', 'add counter inet loss seen; add counter inet loss lost');
command('nft', 'add chain inet loss leaving { type filter hook output priority 0; }');

const users = Array.from({ length: HANDSHAKES }, (_, number) => `unit-${number}`);
const site = await startPeerSite({
  devices: users.map((user) => phone(user, PASSWORD)),
  bridges: (url) => [
    { id: 'b', name: 'Analogue', protocol: 'bs8521', destinationMatch: '^analogue$', callbackBaseUrl: url },
  ],
});
try {
  for (const percent of process.argv.slice(2).map(Number))
    console.log(JSON.stringify(await measure(percent)));
} finally {
  await site.close();
}

async function measure(percent: number): Promise<ToneLoss> {
  command('nft', 'flush chain inet loss leaving');
  command('nft', 'reset counters table inet loss');
  command('nft', `add rule inet loss leaving udp dport { ${RTP} } counter name seen`);
  if (percent > 0)
    command(
      'nft',
      `add rule inet loss leaving udp dport { ${RTP} } numgen random mod 100 < ${percent} counter name lost drop`,
    );
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
        identity: String(Number.parseInt(hash('md5', `${user} ${percent}`).slice(0, 8), 16)).padStart(
          12,
          '1',
        ),
        talkMs: TALK_MS,
        onStep: ({ atMs, text }) => steps.push(`${Math.round(atMs)} ${text}`),
      });
      if (outcome.acknowledged) acknowledged++;
      const said = steps.filter((step) => step.endsWith('says its string')).length;
      if (outcome.acknowledged && said === 1) atFirst++;
      else console.error(`${percent} % ${user}: ${steps.join(', ')}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ring));
  return { percent, handshakes: HANDSHAKES, acknowledged, atFirst, ...counted() };
}

function counted(): Pick<ToneLoss, 'seen' | 'lost'> {
  const { nftables } = JSON.parse(command('nft', '--json', 'list counters')) as {
    readonly nftables: readonly { readonly counter?: { readonly name: string; readonly packets: number } }[];
  };
  const packets = (name: string) =>
    nftables.find(({ counter }) => counter?.name === name)?.counter?.packets ?? 0;
  return { seen: packets('seen'), lost: packets('lost') };
}
