/**
 * The parts of an appliance that keepalived's check needs, by the appliance's own parts, and a voice to be heard by: says each second that it
 * serves, answers `/vipz`, and answers every datagram with its name. `vip-host.ts NAME RUNFOLDER WEBPORT SIPPORT CERTIFICATE KEY`
 */
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { openVip } from '#appliance/compose/vip.ts';
import { answerHealth } from '#appliance/io/site-listener/index.ts';

const [name = '', folder = '', webPort, sipPort, cert = '', key = ''] = process.argv.slice(2);
const vip = openVip(folder);
const health = { reasons: () => [], mayHaveAddress: () => true, figures: () => ({}) };

createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  const { status } = answerHealth(new Request(`https://here${request.url}`), health);
  response.writeHead(status).end();
}).listen(Number(webPort), '0.0.0.0');

const voice = createSocket('udp4');
voice.on('message', (_, from) => voice.send(name, from.port, from.address));
voice.bind(Number(sipPort), '0.0.0.0', async () => {
  await vip.look(true);
  process.stdout.write('ready\n');
});
setInterval(() => void vip.look(true), 1_000);
