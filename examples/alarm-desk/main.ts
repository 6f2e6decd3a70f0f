import { createInterface } from 'node:readline';
import { client, domain, serve } from '../kit.ts';

/* The desk of an operator: shows alarms, and sends commands to the device of the newest one. */

interface Alarm {
  readonly replyId: string;
  readonly sessionId: string;
}
const alarms = new Map<string, Alarm>();

await serve({
  newAlarmbridgeEvent: ({ replyId, sessionId, alarmEvent }, { isLate }) => {
    alarms.set(sessionId, { replyId, sessionId });
    console.log(
      `alarm ${sessionId}${isLate ? ' (late: the fallback has acted)' : ''}: ${JSON.stringify(alarmEvent)}`,
    );
    return { action: 'callEmergencyCenter' };
  },
  // The session is over when its result comes: from then on its device takes no command.
  alarmSent: ({ sessionId }) => {
    if (alarms.delete(sessionId)) console.log(`over ${sessionId}`);
  },
});

/** A word that an operator types. `clear` ends the alarm; all others are commands to the device. */
async function run(word: string): Promise<void> {
  const alarm = [...alarms.values()].at(-1);
  if (alarm === undefined) return console.log('no alarm is open');
  if (word === 'clear') {
    await client.call('postAlarmbridgeByDomainHangupalarmcall', { domain, body: alarm });
    alarms.delete(alarm.sessionId);
  } else {
    const body = { ...alarm, command: word as 'volumeUp' };
    await client.call('postAlarmbridgeByDomainDevicecommand', { domain, body });
  }
  console.log(`done ${word}`);
}

console.log('commands: speak, listen, volumeUp, volumeDown, … and clear');
for await (const line of createInterface({ input: process.stdin })) {
  const word = line.trim();
  // A refusal has its reason and its advice in the message, such as "the device did not confirm".
  if (word !== '') await run(word).catch((cause: Error) => console.log(`refused ${word}: ${cause.message}`));
}
