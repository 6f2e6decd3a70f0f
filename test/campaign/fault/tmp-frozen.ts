import { openSite, pause } from '#test/support/site.ts';
import { beside, now } from './known-load.ts';
const [, , seconds = '90', profile] = process.argv;
const site = await openSite({ applianceNode: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [] });
let thawMs = 0;
const alarms = await beside(site, { rate: 30, seconds: 1.5 + Number(seconds) + 9, name: 'x' }, async () => {
  await pause(1_500); site.freeze('appliance'); await pause(Number(seconds) * 1_000); site.thaw('appliance'); thawMs = now();
});
const acks = alarms.filter((a) => a.acknowledgedMs).map((a) => ({ sent: (a.sentMs - thawMs) / 1000, ack: (a.acknowledgedMs! - thawMs) / 1000 }));
const bySecond = new Map<number, number>();
for (const { ack } of acks) bySecond.set(Math.floor(ack), (bySecond.get(Math.floor(ack)) ?? 0) + 1);
console.log('alarms', alarms.length, 'acked', acks.length, [...bySecond].sort((a, b) => a[0] - b[0]).filter(([s]) => s >= -2).map(([s, n]) => `${s}:${n}`).join(' '));
console.log('after', alarms.filter((a) => a.sentMs > thawMs + 5000).length, 'acked', acks.filter((a) => a.sent > 5).length, 'worst', Math.max(...acks.filter((a) => a.sent > 5).map((a) => a.ack - a.sent)));
const got = site.received.length; console.log('delivered', got);
const { copyFileSync } = await import('node:fs'); copyFileSync(site.logFile.appliance, '/tmp/frozen-appliance.log');
await site.close();
