import { afterEach, beforeEach, expect, it } from 'vitest';
import { heartbeatOf, type MonitoringStage, openMonitoringStage } from './stage.ts';

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

const lines = () =>
  stage.monitoring
    .metric()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

it('counts heartbeats, changes of state and refusals, and names no host', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  await stage.say(host, 'up/hb', heartbeatOf(host));
  await stage.say(host, 'up/hb', heartbeatOf(host));
  const err = [
    { code: 'safetyLimit', path: '/device', msg: 'too many' },
    { code: 'safetyLimit', path: '/alarmbridge', msg: 'all' },
    { code: 'of a "newer" host', path: '', msg: '' },
  ];
  const nack = { v: 1, sid: host.sid, scope: 'tenant', rev: 5, nonce: 'n', res: 'nack', applied: 4, err };
  await stage.say(host, 'up/cfg', nack);
  // Not before the time of grace that follows a cold start.
  for (let s = 0; s < 300 && !stage.monitoring.metric().includes('to="suspect"'); s++) await stage.pass(1);
  expect(lines()).toEqual([
    'carillon_hosts{connectivity="suspect"} 1',
    'carillon_heartbeats_total 2',
    'carillon_presence_transitions_total{from="never",to="online"} 1',
    'carillon_presence_transitions_total{from="online",to="suspect"} 1',
    'carillon_config_nack_total{code="safetyLimit"} 1',
    'carillon_config_nack_total{code="of_a__newer__host"} 1',
  ]);
  expect(stage.monitoring.metric()).not.toContain(host.place.uid);
});
