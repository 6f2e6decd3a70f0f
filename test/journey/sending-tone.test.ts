import { describe, expect, it } from 'vitest';
import {
  AT_CENTRE,
  allQuiet,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  send,
  sendingPair,
} from '#test/support/sending.ts';

const opened = keptPairs();

async function two(protocol: string, ...given: [options?: Parameters<typeof sendingPair>[1]]) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...LOGIN }, ...given);
  opened.push(made);
  centreKnows(made);
  centreBridge(made, protocol);
  return made;
}

const NATIVE: Readonly<Record<string, RegExp>> = {
  bs8521: /^A00001234567800420/,
  tt92: /^D#1016123456780042000000$/,
  ttnew: /^D#1016123456780042000000$/,
};

describe('an event that goes out in tones', () => {
  it.each(['bs8521', 'tt92', 'ttnew'])(
    'is asked for in %s, said, acknowledged and cleared',
    async (protocol) => {
      const made = await two(protocol);
      await send(made);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
      await made.after(1_000);
      expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
        {
          sourceAlarmProtocol: protocol,
          sipFrom: 'carillon',
          alarmEvent: protocol === 'bs8521' ? BS8521 : TT,
        },
      ]);
      const [sent] = callbacksOf(made.sender, 'alarmSent');
      expect(sent).toMatchObject({ protocol, alarmString: expect.stringMatching(NATIVE[protocol] ?? /./) });
      await made.after(90_000);
      expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
      allQuiet(made);
    },
  );
});

const BS8521 = {
  controllerId: '12345678',
  deviceId: '0042',
  deviceType: 'fallDetector',
  location: 'bedRoom',
  priority: 7,
};
/** TT has no word for a fall detector, nor for a place or a priority. */
const TT = { controllerId: '123456780042', statusCode: 'alarmManual' };
