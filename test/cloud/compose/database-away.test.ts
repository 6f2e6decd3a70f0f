import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { whenDatabaseIsThere } from '#cloud/compose/database-away.ts';
import { DatabaseInRecovery } from '#cloud/io/database/index.ts';
import { freePorts } from '#test/support/site-port.ts';

const HOST = '127.0.0.1';

/** A start that asks the database for something, as a query builder says what went wrong. */
async function asking(port: number): Promise<string> {
  const socket = connect(port, HOST);
  try {
    await once(socket, 'connect');
    return 'started';
  } catch (cause) {
    throw new Error('Failed query: select 1\nparams: ', { cause });
  } finally {
    socket.destroy();
  }
}

async function stage() {
  const [port = 0] = await freePorts(HOST, 1);
  const logged: unknown[] = [];
  const server = createServer((socket) => socket.destroy());
  return { port, logged, server, database: `postgres://carillon@${HOST}:${port}/carillon` };
}

it('a start waits for a database that is there a moment later', async () => {
  const { port, logged, server, database } = await stage();
  const started = whenDatabaseIsThere(
    { database },
    (level, event, _, facts) => {
      logged.push({ level, event, ...facts });
      server.listen(port, HOST);
    },
    () => asking(port),
  );
  expect(await started).toBe('started');
  expect(logged).toEqual([
    { level: 'warn', event: 'database.connection_lost', reason: `connect ECONNREFUSED ${HOST}:${port}` },
  ]);
  server.close();
});

it('and ends with one sentence when it stays away', async () => {
  const { port, database } = await stage();
  const started = whenDatabaseIsThere(
    { database },
    () => undefined,
    () => asking(port),
    -1,
  );
  await expect(started).rejects.toThrow(
    `The database of CARILLON_DATABASE cannot be used: connect ECONNREFUSED ${HOST}:${port}. Start it, or correct its address.`,
  );
});

it('as for one in recovery, with what makes it take writes', async () => {
  const { logged, database } = await stage();
  const started = whenDatabaseIsThere(
    { database },
    (_level, _event, _message, facts) => logged.push(facts),
    () => Promise.reject(new DatabaseInRecovery()),
    -1,
  );
  const reason =
    'it is in recovery and takes no write: it is a standby, or a server that still replays its log';
  await expect(started).rejects.toThrow(
    `The database of CARILLON_DATABASE cannot be used: ${reason}. Promote it, or name the primary server.`,
  );
  expect(logged).toEqual([{ reason }]);
});

it('but not for what waiting mends not: a defect, or a file of SQLite that cannot be opened', async () => {
  const { port, database } = await stage();
  const defect = new TypeError('x is not a function');
  const failing = () => Promise.reject(defect);
  await expect(whenDatabaseIsThere({ database }, () => undefined, failing)).rejects.toBe(defect);
  const ofFile = whenDatabaseIsThere(
    { database: 'sqlite:/x.db' },
    () => undefined,
    () => asking(port),
  );
  await expect(ofFile).rejects.toThrow('Failed query');
});
