import { alarmCost } from '../alarm/alarm-cost.ts';
import { alarmLatency } from '../alarm-latency.ts';
import { alarmRate } from '../alarm-rate.ts';
import { bulkLoad } from '../bulk-load.ts';
import { callAnswer } from '../call-answer.ts';
import { callRelay } from '../call-relay.ts';
import { capture } from '../capture/capture.ts';
import { configurationApplied } from '../configuration-applied.ts';
import { costGrowth } from '../cost-growth.ts';
import { firstLook } from '../documentation/first-look.ts';
import { dtmf } from '../dtmf.ts';
import { gsm } from '../gsm.ts';
import { hosts } from '../hosts.ts';
import { legLimit } from '../leg-limit.ts';
import { streamLatency } from '../media/stream-latency.ts';
import { streamLoad } from '../media/stream-load.ts';
import { mediaLeg } from '../media-leg.ts';
import { memory } from '../memory.ts';
import { messageReply } from '../message-reply.ts';
import { mp3Encode } from '../mp3-encode.ts';
import { emergencyLists } from '../people/emergency-lists.ts';
import { promptLatency } from '../prompt-latency.ts';
import { provisioningRate } from '../provisioning-rate.ts';
import { registerDigest } from '../register-digest.ts';
import { hostsReplicas } from '../replica/hosts-replicas.ts';
import { rtpRelay } from '../rtp-relay.ts';
import { srtp } from '../srtp.ts';
import { supervision } from '../supervision.ts';
import type { Bench } from '../support/bench.ts';
import { toneHandshake } from '../tone-handshake.ts';

/** Every benchmark, in the order of the rows. */
export const benches: readonly Bench[] = [
  messageReply,
  alarmLatency,
  alarmRate,
  alarmCost,
  callAnswer,
  callRelay,
  registerDigest,
  rtpRelay,
  mediaLeg,
  legLimit,
  srtp,
  provisioningRate,
  bulkLoad,
  configurationApplied,
  memory,
  costGrowth,
  hosts,
  hostsReplicas,
  supervision,
  dtmf,
  toneHandshake,
  gsm,
  promptLatency,
  mp3Encode,
  capture,
  streamLatency,
  streamLoad,
  emergencyLists,
  firstLook,
];
