import { serve } from '../kit.ts';

/* The smallest application: it hears of an alarm, and says that people shall speak. */

await serve({
  newAlarmbridgeEvent: ({ alarmEvent, sourceAlarmProtocol, sessionId }) => {
    console.log(`alarm ${sessionId} by ${sourceAlarmProtocol}: ${JSON.stringify(alarmEvent)}`);
    // `callEmergencyCenter` connects the device with the emergency destination; `drop` acknowledges without a call.
    return { action: 'callEmergencyCenter' };
  },
  platformAlarm: (alarm) => console.log(`the platform reports ${JSON.stringify(alarm)}`),
});
