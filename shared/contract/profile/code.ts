import { z } from 'zod';
import { isReceiveValue, isSendValue, type ListField } from '#shared/alarm-event/index.ts';

/* Rows of code tables and mappings to SIA, as a tenant may give them (kinds `codes` and `siaMapping`). */

const MOST_ROWS = 500;
const text = (most: number) => z.string().max(most);

const received = (field: ListField) =>
  z.string().refine((word) => isReceiveValue(field, word), {
    message: `must be a ${field} of received events`,
  });

/** Words separated by `|`; `*` stands for any other. */
const sent = (field: ListField) =>
  text(2_000).refine(
    (column) => column.split('|').every((word) => word === '*' || isSendValue(field, word)),
    {
      message: `must be a ${field} of sent events, several separated by |, or *`,
    },
  );

const code = z.string().regex(/^[0-9A-Za-z*#]{1,32}$/, 'must be 1 to 32 letters, digits, * or #');
const named = {
  code,
  key: text(64).optional(),
  meaning: text(200).optional(),
  basis: text(20).optional(),
  note: text(400).optional(),
};

/** A table whose code says one field. */
const fieldRows = (field: ListField) =>
  z.strictObject({
    ...named,
    receive: received(field).nullable().optional(),
    send: sent(field).nullable().optional(),
    ...(field === 'deviceType' && { receiveStatusCode: received('statusCode').nullable().optional() }),
  });

/** A table whose code says several fields at once. */
const eventRow = z.strictObject({
  ...named,
  receiveDeviceType: received('deviceType').optional(),
  receiveStatusCode: received('statusCode').optional(),
  receiveLocation: received('location').optional(),
  sendDeviceType: sent('deviceType').optional(),
  sendStatusCode: sent('statusCode').optional(),
  sendLocation: sent('location').optional(),
});

const tableOf = <Row extends z.ZodType<{ readonly code: string }>>(row: Row) =>
  z.strictObject({
    rows: z
      .array(row)
      .max(MOST_ROWS)
      .superRefine((rows, context) => {
        const seen = new Set<string>();
        for (const [at, one] of rows.entries()) {
          if (seen.has(one.code))
            context.addIssue({
              code: 'custom',
              path: [at, 'code'],
              message: `must be unique; another row has the code ${one.code}`,
            });
          seen.add(one.code);
        }
      }),
  });

/** Tables that say one field, with the field. */
export const FIELD_TABLES = {
  'scaip-dty': 'deviceType',
  'scaip-stc': 'statusCode',
  'scaip-lco': 'location',
  'scaip-dco': 'deviceComponent',
  'bs8521-location': 'location',
  'bs8521-status': 'statusCode',
} as const satisfies Readonly<Record<string, ListField>>;

/** Tables that say an event. Those of lifts go by the code of a call, whatever stands around it. */
export const EVENT_TABLES = [
  'bs8521-event',
  'contact-id-event',
  'lift-cpc',
  'lift-p100',
  'sia-event',
  'tt-call',
] as const;

export type FieldTableName = keyof typeof FIELD_TABLES;
export type EventTableName = (typeof EVENT_TABLES)[number];
export type CodeTableName = FieldTableName | EventTableName;

const siaCode = {
  sia: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  cid: z.string().regex(/^[136][0-9A-F]{3}$/, 'must be qualifier 1, 3 or 6 and three hexadecimal digits'),
};
const words = z.array(text(64).min(1)).min(1).max(200);
const byClass = z.strictObject({
  alarm: z.strictObject(siaCode),
  restore: z.strictObject(siaCode),
  trouble: z.strictObject(siaCode),
  troubleRestore: z.strictObject(siaCode),
});
/** Values of either list: an event is looked up by its send word, else by its receive word. */
const known = (field: ListField) =>
  words.refine((all) => all.every((word) => isSendValue(field, word) || isReceiveValue(field, word)), {
    message: `must be values of ${field}`,
  });
const classes = z.array(
  z.string().refine((word) => isSendValue('statusCode', word) || isReceiveValue('statusCode', word), {
    message: 'must be a statusCode',
  }),
);

const siaMappingContent = z
  .strictObject({
    nativeRules: z
      .array(z.strictObject({ element: text(40).min(1), value: words, ...siaCode }))
      .max(MOST_ROWS),
    statusRules: z
      .array(
        z.strictObject({
          deviceType: known('deviceType').optional(),
          statusCode: known('statusCode'),
          ...siaCode,
        }),
      )
      .max(MOST_ROWS),
    statusClass: z
      .strictObject({
        alarm: classes,
        restore: classes,
        trouble: classes,
        troubleRestore: classes,
        info: classes,
      })
      .partial(),
    devices: z.record(
      z
        .string()
        .refine(
          (word) =>
            word === 'unknown' || isSendValue('deviceType', word) || isReceiveValue('deviceType', word),
          {
            message: 'must be a deviceType, or unknown',
          },
        ),
      byClass.partial(),
    ),
  })
  .partial();

const codes: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    Object.entries(FIELD_TABLES).map(([name, field]) => [name, tableOf(fieldRows(field))]),
  ),
  ...Object.fromEntries(EVENT_TABLES.map((name) => [name, tableOf(eventRow)])),
  // Only the native event names the place of the audio unit of a lift.
  'lift-audio-unit': tableOf(z.strictObject(named)),
};

/** The schema of a row of these kinds that leads to the built-in `name`; undefined: no such table or mapping. */
export function codeSchema(kind: string, name: string): z.ZodType | undefined {
  if (kind === 'siaMapping') return siaMappingContent;
  return kind === 'codes' && Object.hasOwn(codes, name) ? codes[name] : undefined;
}

/** A row of either form, as it was validated. */
export interface CodeTableRow {
  readonly code: string;
  readonly [column: string]: string | null | undefined;
}
