import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDemoConsole } from './demo-console.ts';
import { type Application, tasksOf } from './task.ts';
import { tableOf, type Walked, walkTask } from './walk.ts';

/* npm run console:tasks [PARTS OF NAMES]: the tasks of people (those whose names hold one of the parts), walked in Chromium over a demo that runs, and the table of their ways. */

const OFFSET = 10_900;
const parts = process.argv.slice(2);

/** Calls people for an alarm. While it is not well it refuses each record for good. */
const application: Application = { isWell: true };
const server = createServer((request, response) => {
  const isAlarm = request.url?.endsWith('/newAlarmbridgeEvent') === true;
  request.resume();
  response.writeHead(application.isWell || isAlarm ? 200 : 400, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isAlarm ? { action: 'callEmergencyCenter' } : {}));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

const demo = await openDemoConsole(OFFSET, ['--callback', `http://127.0.0.1:${port}`]);
const walked: Walked[] = [];
try {
  await demo.open.page.setViewport({ width: 1280, height: 1000 });
  for (const task of tasksOf(demo, application).filter(
    ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
  )) {
    walked.push(await walkTask(demo.open.page, `${demo.api}/console/overview`, task));
    console.error(`${task.name}: ${walked.at(-1)?.fault ?? 'done'}`);
  }
  console.log(tableOf(walked));
  if (demo.open.complaints.length > 0) console.log(demo.open.complaints.join('\n'));
} finally {
  await demo.close();
  server.close();
}
process.exitCode = walked.some(({ fault }) => fault !== undefined) || demo.open.complaints.length > 0 ? 1 : 0;
