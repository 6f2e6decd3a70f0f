import { createServer } from 'node:http';
import { client, domain, serve } from '../kit.ts';

/* A page with the sign of life of every device. The platform absorbs heartbeats and reports changes; the page asks for the rest. */

const PORT = Number(process.env.PORT ?? 3_001);
const [DEVICE = '12345678:0001'] = process.argv.slice(3);
const changes: string[] = [];

// A device is supervised from its next sign of life on: it has to give one every five minutes.
await client.call('patchProvisioningDeviceByDeviceId', {
  domain,
  deviceId: DEVICE,
  body: [{ op: 'add', path: '/serviceData', value: { alarmBridge: { heartbeatInterval: 300_000 } } }],
});

await serve({
  newAlarmbridgeEvent: () => ({ action: 'drop' }),
  platformAlarm: (alarm) => {
    if (alarm.type !== 'deviceHeartbeat') return;
    const { deviceId, status } = alarm;
    changes.unshift(`${new Date().toISOString()} ${deviceId} is ${status}`);
    console.log(changes[0]);
  },
});

interface Row {
  readonly deviceId: string;
  readonly status: string;
  readonly until: string;
}

/** Every supervised device, those without a sign of life first. */
async function rows(): Promise<Row[]> {
  const found: Row[] = [];
  for await (const { devices } of client.pages('getProvisioningDevice', { domain }))
    for (const { deviceId, heartbeatStatus, heartbeatExpiration } of devices)
      if (heartbeatStatus !== undefined && heartbeatExpiration !== undefined)
        found.push({
          deviceId,
          status: heartbeatStatus,
          until: new Date(heartbeatExpiration).toISOString(),
        });
  return found.sort((a, b) => Number(a.status === 'online') - Number(b.status === 'online'));
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (all: readonly Row[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="10"><title>Heartbeats</title>
<h1>${all.filter(({ status }) => status !== 'online').length} of ${all.length} devices give no sign of life</h1>
<table><tr><th>Device<th>Status<th>Next one due by
${all.map((row) => `<tr><td>${escaped(row.deviceId)}<td>${escaped(row.status)}<td>${row.until}`).join('\n')}
</table>
<ul>${changes.map((line) => `<li>${escaped(line)}`).join('')}</ul></html>`;

createServer(async (_, response) => {
  try {
    const html = page(await rows());
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  } catch (cause) {
    // A page that is silently old would say that all is well.
    response
      .writeHead(503, { 'content-type': 'text/plain' })
      .end(`The list cannot be read: ${String(cause)}`);
  }
}).listen(PORT, '127.0.0.1', () => console.log(`dashboard at http://127.0.0.1:${PORT}`));
