import { client, domain } from '../kit.ts';

/* A bridge from SCAIP to DC-09: alarms to `scaip-dc09` are sent on to a centre that speaks SIA DC-09. No application is needed. */

const [CENTRE = '127.0.0.1:12300'] = process.argv.slice(3);

/** An event sender that says alarms in DC-09, and asks the centre every minute whether it is there. */
const sender = await client.call('postProvisioningAlarmeventmapper', {
  domain,
  body: {
    name: `DC-09 centre ${CENTRE}`,
    alarmHandling: 'forward',
    enableDestinationMonitoring: true,
    targetEndpoint: { protocol: 'sia-dcs', destAddr: CENTRE, dc09: { account: '1234' } },
  },
});

/** A receiver of SCAIP whose alarms go to that sender. */
const receiver = await client.call('postProvisioningAlarmbridge', {
  domain,
  body: {
    name: `SCAIP to ${CENTRE}`,
    protocol: 'scaip',
    destinationMatch: '^scaip-dc09$',
    alarmEventMapperId: sender.id,
  },
});
console.log(`receiver ${receiver.id} sends alarms on to ${CENTRE} by event sender ${sender.id}`);
console.log('try it: npx carillon simulate scaip --receiver scaip-dc09');
