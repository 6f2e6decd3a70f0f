import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freePorts } from '../site-port.ts';

/** Two that chose 500 of 20,000 ports by chance alone would have about 12 in common. */
const [TIMES, AT_ONCE] = [10, 50];
const program = `
  process.once('message', async ({ module, times, count }) => {
    const { freePorts } = await import(module);
    const ports = [];
    for (let n = 0; n < times; n++) ports.push(...await freePorts('127.0.0.1', count));
    process.send(ports);
    process.once('message', () => process.disconnect());
  });
`;

test('two processes choose no port twice while both run', async () => {
  const other = fork('-', [], {
    execArgv: ['--input-type=module', '--eval', program],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  other.send({ module: new URL('../site-port.ts', import.meta.url).href, times: TIMES, count: AT_ONCE });
  const [theirs] = (await once(other, 'message')) as [readonly number[]];
  const ours: number[] = [];
  for (let n = 0; n < TIMES; n++) ours.push(...(await freePorts('127.0.0.1', AT_ONCE)));
  const ended = once(other, 'exit');
  other.send('end');
  await ended;
  expect(theirs).toHaveLength(TIMES * AT_ONCE);
  expect(ours.filter((port) => theirs.includes(port))).toEqual([]);
  expect(new Set(ours).size).toBe(ours.length);
});
