import { type ChangeRow, changePlace } from '../change/change.ts';
import { type ItemRow, type ItemTable, itemPlace } from '../configuration/configuration-item.ts';
import { type DeviceRow, devicePlace } from '../configuration/device.ts';
import { settingsPlace } from '../configuration/notification-settings.ts';
import { type BodyPlace, pushPlace, secondFactorPlace } from '../sql/body-seal.ts';
import type { Reader } from '../sql/store.ts';
import type { Row, TableKey } from './table-walk.ts';

/** Where the body of a row stands; undefined = its table has no bodies that may hold secrets. */
export function placeOf(from: Reader, table: TableKey, row: Row): BodyPlace | undefined {
  if (table === 'configChange') return changePlace(row as unknown as ChangeRow);
  if (table === 'device') return devicePlace(row as unknown as DeviceRow);
  if (table === 'secondFactor') return secondFactorPlace(String(row.person));
  if (table === 'pushSubscription') return pushPlace(String(row.tenant), String(row.id));
  if (table === 'notificationSettings') return settingsPlace(String(row.tenant));
  return 'set' in row && 'body' in row
    ? itemPlace(from, table as ItemTable, row as unknown as ItemRow)
    : undefined;
}

/** A column that is one sealed text. */
export interface SealedColumn {
  readonly column: string;
  readonly place: (row: Row) => string;
}

/** Columns that are sealed as a whole, by table. */
export const SEALED_COLUMNS: Partial<Readonly<Record<TableKey, SealedColumn>>> = {
  site: { column: 'keySealed', place: ({ tenant, siteId }) => siteKeyPlace(String(tenant), String(siteId)) },
  configKey: {
    column: 'sealed',
    place: ({ tenant, version }) => configKeyPlace(String(tenant), Number(version)),
  },
  installationKey: { column: 'sealed', place: ({ purpose }) => installationKeyPlace(String(purpose)) },
};

/** Place of the key by which the hosts of a site sign. */
export const siteKeyPlace = (tenant: string, siteId: string): string => `${tenant}|site|key|${siteId}`;

/** Place of a key by which the sites of a tenant open secrets. */
export const configKeyPlace = (tenant: string, version: number): string =>
  `${tenant}|config_key|sealed|${version}`;

/** Place of a key of the installation; it belongs to no tenant. */
export const installationKeyPlace = (purpose: string): string =>
  `platform|installation_key|sealed|${purpose}`;
