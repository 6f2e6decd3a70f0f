import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { shared, until } from '#test/campaign/replica/control-plane-look.ts';
import { Wire } from '#test/campaign/replica/wire.ts';
import { type Replica, type Replicas, startReplicas } from '../cloud/replicas.ts';

/*
 * Connections to the database that are half-open: a firewall forgot them, so that nothing more is said on them and no word of their
 * end arrives, while new connections are answered as before.
 */

const [COUNT, LEASE_MS, MARGIN_MS] = [2, 10_000, 5_000];
const place = new Place();
let replicas: Replicas;
const wires: Wire[] = [];
let forgottenMs = 0;

beforeAll(async () => {
  replicas = await startReplicas(place, COUNT, {
    between: async (what, port) => {
      if (what !== 'database') return port;
      const wire = await place.keep(Wire.open(port));
      wires.push(wire);
      return wire.port;
    },
  });
  expect(await shared(replicas, COUNT)).toBe(true);
});
afterAll(() => place.close());

const second = (): Replica => {
  const found = replicas.all[1];
  if (found === undefined) throw new Error('there is no second replica');
  return found;
};
const logOf = ({ logFile }: Replica): string => readFileSync(logFile, 'utf8');

interface Lease {
  readonly owner: string;
  readonly epoch: string;
  readonly until: string;
}
const leases = () => replicas.rows<Lease>('SELECT owner, epoch, until FROM shard_lease ORDER BY sh');
/** Time of the database, ms. */
const databaseMs = async (): Promise<number> => {
  const [row] = await replicas.rows<{ ms: string }>(
    'SELECT (extract(epoch from clock_timestamp()) * 1000)::bigint AS ms',
  );
  return Number(row?.ms);
};
const terms = async () => (await leases()).map(({ owner, epoch }) => `${owner} ${epoch}`);

/** Resolves when every lease was renewed behind this moment. */
const renewedBehind = (ms: number) =>
  until(async () => (await leases()).every((lease) => Number(lease.until) - LEASE_MS > ms), 60_000);

describe('a replica whose connections to the database are half-open', () => {
  it('no shard changes its owner: it finds out, and renews its lease before that ends', async () => {
    const before = await terms();
    wires[1]?.forget();
    const atMs = await databaseMs();
    forgottenMs = atMs;
    expect(await renewedBehind(atMs)).toBe(true);
    expect((await databaseMs()) - atMs).toBeLessThan(LEASE_MS + MARGIN_MS);
    expect(await terms()).toEqual(before);
    expect(logOf(second())).not.toContain('lease.lost');
  });

  it('its hints come again, and a request is answered', async () => {
    const beganMs = performance.now();
    const answered = await until(async () => {
      const answer = await replicas.ask(second(), 'GET', '/platform/tenant').catch(() => ({ status: 0 }));
      return answer.status === 200;
    }, 60_000);
    expect(answered).toBe(true);
    expect(performance.now() - beganMs).toBeLessThan(LEASE_MS + MARGIN_MS);
    const listening = async () => {
      const [row] = await replicas.rows<{ n: string }>(
        `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = '${second().name}'
          AND (query LIKE 'LISTEN %' OR query = 'SELECT 1') AND backend_start > to_timestamp(${forgottenMs / 1_000})`,
      );
      return Number(row?.n) > 0;
    };
    expect(await until(listening, 60_000)).toBe(true);
  });

  it('parted for longer than its lease, and joined: every shard has an owner within a lease', async () => {
    wires[1]?.cut();
    const isLost = () => until(async () => logOf(second()).includes('lease.lost'), 60_000);
    expect(await isLost()).toBe(true);
    expect(await shared(replicas, COUNT - 1)).toBe(true);
    wires[1]?.join();
    const beganMs = performance.now();
    expect(await shared(replicas, COUNT)).toBe(true);
    expect(performance.now() - beganMs).toBeLessThan(LEASE_MS + MARGIN_MS);
  });

  it('it stops in order while they are half-open', async () => {
    wires[1]?.forget();
    const beganMs = performance.now();
    await second().process.stop(60_000);
    expect(performance.now() - beganMs).toBeLessThan(30_000);
  });
});
