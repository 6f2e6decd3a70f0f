import { describe, expect, it } from 'vitest';
import { type HostStatus, statusRows } from '#installer/command/technician/check/status.ts';
import { personOf } from '#installer/command/technician/terminal/person.ts';
import type { SelfTestRecord } from '#shared/self-test/index.ts';

const record: SelfTestRecord = {
  v: 1,
  at: '2026-11-22T13:05:00.000Z',
  release: '1.2.0',
  hostId: 'box-7',
  siteId: 'north',
  passed: false,
  points: [
    { id: 'trunk', verdict: 'failure', found: 'a', code: 'trunk.silent', ms: 1 },
    { id: 'trunk', verdict: 'failure', found: 'b', code: 'trunk.silent', ms: 1 },
    { id: 'mqtt', verdict: 'failure', found: 'c', code: 'mqtt.notDelivered', ms: 1 },
    { id: 'sip', verdict: 'ok', found: '200', ms: 1 },
  ],
};
const enrolled: HostStatus = {
  release: '1.2.0',
  packaged: false,
  slots: { current: '1.2.0', previous: '1.1.0' },
  service: 'active',
  readable: true,
  host: {
    uid: '01jc7z5t3k9q8w6m4n2p0r1s5v',
    domain: 'care.example',
    siteId: 'north',
    hostId: 'box-7',
    edgeUrl: 'https://edge.example',
    expiresAtMs: 1,
    verifyKeys: [],
  },
  cloud: 'https://cloud.example',
  time: { server: '192.0.2.1', outside: true },
  live: {
    faults: [],
    figures: { calls: 2, alarm_sessions: 1 },
    connected: true,
    waiting: { alarm: 3, svc: 1, audit: 4 },
  },
  pending: undefined,
  interrupted: undefined,
  selfTest: record,
  page: 'https://10.0.0.7:8443/technician',
  code: '1234-5678',
};

const shown = (status: HostStatus, lang = 'en') =>
  Object.fromEntries(statusRows(status, personOf({ lang })).map(([name, value]) => [name, value]));

describe('carillon status', () => {
  it('shows what a technician asks first', () => {
    const rows = shown(enrolled);
    expect(rows).toMatchObject({
      Release: '1.2.0',
      'Release before': '1.1.0',
      Service: 'active',
      Enrolment: 'box-7, north, care.example',
      'Control plane': 'https://cloud.example, connected',
      Calls: '2',
      'Alarms active': '1',
      'Stored, on their way': '3 alarms, 5 others',
      'Last self-test': '2026-11-22 13:05: failed at Trunk, Broker (MQTT)',
      'Technician page': 'https://10.0.0.7:8443/technician',
    });
    expect(rows['Code for the page']).toContain('1234-5678');
    expect(rows).not.toHaveProperty('Cannot serve');
  });

  it('says why a host does not serve, and that a site goes on without its control plane', () => {
    const faults = ['the journal cannot be written'];
    const live = { ...enrolled.live, figures: {}, faults, connected: false };
    const rows = shown({ ...enrolled, live }, 'sv');
    expect(rows['Kan inte tjänstgöra']).toBe('the journal cannot be written');
    expect(rows.Styrsystem).toBe('https://cloud.example, inte förbundet; platsen fortsätter');
  });

  it('calls unknown what it cannot know: without the service, and for who may not look', () => {
    const { code: _, ...rest } = enrolled;
    const blind = { ...rest, code: undefined, readable: false, host: undefined, live: undefined };
    const rows = shown({ ...blind, selfTest: undefined });
    expect(rows.Enrolment).toBe('unknown');
    expect(rows.Calls).toBe('unknown');
    expect(rows['Last self-test']).toBe('unknown');
    expect(rows['Stored, on their way']).toBe('unknown');
    expect(rows).not.toHaveProperty('Code for the page');
  });
});
