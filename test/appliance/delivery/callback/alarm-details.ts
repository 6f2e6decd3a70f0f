import type { AlarmDetails } from '#appliance/delivery/callback/index.ts';

/** A SCAIP alarm of a personal trigger. */
export const facts: AlarmDetails = {
  sessionId: '01j9z3n6t2v4q8w5x7y1b3c5d7',
  traceId: '5f0c9f2e-6f2a-4c4e-9a3e-2b1f6d0a7c11',
  domain: 'care.example',
  protocol: 'scaip',
  ivrServer: '192.0.2.10',
  sipFrom: 'scaip-0001',
  calledParty: 'scaip',
  event: {
    controllerId: 'scaip-0001',
    deviceType: { native: '0003', send: 'personalTrigger', receive: 'personalTrigger' },
    statusCode: { native: '0011', send: 'alarmManual', receive: 'alarmManual' },
    audio: 'duplex',
    priority: 0,
  },
  source: {
    protocol: 'scaip',
    raw: '<mrq><cid>scaip-0001</cid></mrq>',
    fields: { cid: 'scaip-0001' },
    check: { policy: 'ignore', result: 'none' },
    warnings: ['late heartbeat'],
  },
  replyId: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
  eventSeq: 1,
};
