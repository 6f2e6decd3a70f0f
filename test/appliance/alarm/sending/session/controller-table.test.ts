import { describe, expect, it } from 'vitest';
import { ProfileTables } from '#appliance/alarm/profile/index.ts';
import type { NativeForm } from '#appliance/alarm/sending/order/native-form.ts';
import { addressOf, targetOf } from '#appliance/alarm/sending/order/send-target.ts';
import { ControllerTable, isOfScheme } from '#appliance/alarm/sending/session/controller-table.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';
import { orderOfUnit, orderTenant } from '../order/order-room.ts';
import { sessionRoom } from './session-room.ts';

const HOUR_MS = 3_600_000;
const GROUPED = { native: null, send: 'groupedSupervisorOnDuty', receive: null };
const formOf = (digits: string): NativeForm => {
  const read = decodeBs8521(digits);
  if (!read.ok) throw new Error(read.error.reason);
  return { kind: 'bs8521', fields: read.value };
};
const SCHEME = formOf('110012345678001301000000');
const ALONE = formOf('010012345678000001001000');

/** A host whose event sender sends to a centre of BS 8521; `rows` are those of its journal. */
function room(rows?: Parameters<typeof sessionRoom>[0]) {
  const base = sessionRoom(rows);
  base.at(1);
  const made = orderTenant();
  made.mapper({ protocol: 'bs8521', destAddr: '0812' });
  const ports = Object.assign(base.ports as object, { tenant: () => made.tenant });
  const profiles = new ProfileTables({ tenant: () => made.tenant, log: () => undefined });
  const table = new ControllerTable(ports as never, profiles);
  const plan = (fields: object = {}, form: NativeForm = SCHEME) => {
    const order = orderOfUnit({ mapperId: 'mapper-1', sipFrom: 'controller', ...fields });
    const grouped = { ...order, event: { ...order.event, deviceId: '0013', systemConfig: GROUPED } };
    const target = targetOf(grouped, made.tenant);
    if (!target.ok) throw new Error(target.error.reason);
    const reference = { ref: 'abcd', sequence: '0001', atMs: 0 };
    const address = addressOf(target.value, 'primary');
    return { order: grouped, reference, target: target.value, address, form };
  };
  return { ...base, ...made, table, plan };
}

describe('a controller that an event went out for', () => {
  it('is known by the numbers of the event, as it is provisioned now', () => {
    const at = room();
    at.table.sent(at.plan(), 'primary');
    expect([at.table.has('CONTROLLER'), at.table.has('unit'), at.table.has('other')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(at.table.find('controller')).toMatchObject({
      address: { destination: '0812' },
      remote: undefined,
    });
    at.mapper({ protocol: 'bs8521', destAddr: '0813' });
    expect(at.table.find('controller')?.address.destination).toBe('0813');
    at.tenant.remove('alarmeventmapper', 'mapper-1');
    expect(at.table.find('controller')).toBeUndefined();
  });

  it.each<[string, object, NativeForm]>([
    ['a unit that stands alone', {}, ALONE],
    ['a test of this machine', { selfTest: true }, SCHEME],
  ])('is not that of %s', (_, fields, form) => {
    const at = room();
    at.table.sent(at.plan(fields, form), 'primary');
    expect([at.table.has('controller'), at.rows]).toEqual([false, []]);
  });

  it('keeps the address of its centre as long as events take the same transport', () => {
    const at = room();
    const plan = at.plan();
    at.table.sent(plan, 'primary');
    at.table.reached(plan, '192.0.2.30');
    expect(at.table.find('controller')?.remote).toBe('192.0.2.30');
    at.table.sent(plan, 'primary');
    expect(at.table.find('controller')?.remote).toBe('192.0.2.30');
    at.table.sent(plan, 'backup');
    expect(at.table.find('controller')?.remote).toBeUndefined();
  });

  it('is written once a day, and whenever it changes', () => {
    const at = room();
    const written = () => at.rows.find(({ id }) => id.endsWith('controller'))?.updatedMs;
    at.table.sent(at.plan(), 'primary');
    at.at(23 * HOUR_MS);
    at.table.sent(at.plan(), 'primary');
    expect(written()).toBe(1);
    at.at(24 * HOUR_MS + 1);
    at.table.sent(at.plan(), 'primary');
    expect(written()).toBe(24 * HOUR_MS + 1);
    at.at(25 * HOUR_MS);
    at.table.sent(at.plan(), 'backup');
    expect(written()).toBe(25 * HOUR_MS);
  });

  it('is known after a restart, without the speech of its event', () => {
    const at = room();
    at.table.sent(at.plan(), 'primary');
    const next = room(at.rows);
    expect(next.table.has('controller')).toBe(false);
    next.table.restore();
    expect(next.table.find('controller')).toMatchObject({ order: { sipFrom: 'controller' } });
  });

  it('is the newer one of what is known and what the disk holds', () => {
    const at = room();
    at.table.sent(at.plan(), 'primary');
    const next = room();
    next.at(HOUR_MS);
    next.table.sent(next.plan({ callingParty: 'newer' }), 'backup');
    next.rows.splice(0, next.rows.length, ...at.rows);
    next.table.restore();
    expect(next.table.find('controller')?.order.callingParty).toBe('newer');
  });

  it('is logged when its row cannot be read, and hinders no other', () => {
    const at = room();
    at.table.sent(at.plan(), 'primary');
    const [first] = at.rows;
    if (first === undefined) throw new Error('nothing was written');
    const next = room([...at.rows, { ...first, id: `${first.id}2`, body: '{}' }]);
    next.table.restore();
    expect(next.logged).toEqual(['controller.read_failed']);
    expect(next.table.has('controller')).toBe(true);
  });

  it('is forgotten with the data of its person', () => {
    const at = room();
    at.table.sent(at.plan(), 'primary');
    at.table.forget({ deviceId: 'another' });
    expect(at.table.has('controller')).toBe(true);
    at.table.forget({ deviceId: 'controller' });
    expect(at.table.has('controller')).toBe(false);
  });
});

it('a scheme is a group of BS 8521, a unit of TT, or a NOW-IP alarm of a group', () => {
  const nowip = (type: string, data: string): NativeForm =>
    ({ kind: 'nowip', form: { type, data } }) as never;
  expect(
    [
      SCHEME,
      ALONE,
      { kind: 'tt', name: 'tt92', form: { line: 'D', unit: {} } },
      { kind: 'tt', name: 'tt92', form: { line: 'D' } },
      nowip('1', '110012345678001301000000'),
      nowip('1', '010012345678000001001000'),
      nowip('0', '110012345678001301000000'),
      nowip('1', 'nonsense'),
      { kind: 'callback' },
    ].map((form) => isOfScheme(form as NativeForm)),
  ).toEqual([true, false, true, false, true, false, false, false, false]);
});
