import { z } from 'zod';
import { compileEventMap } from '../../matching/index.ts';
import { jsonField, successField } from './field.ts';

const literal = z.union([z.string().max(512), z.number(), z.boolean(), z.null()]);

const dottedPath = z.string().min(1).max(256);

const ruleSchema = z
  .strictObject({
    when: z
      .record(dottedPath, z.union([literal, z.array(literal).min(1).max(200)]))
      .optional()
      .meta({
        description:
          'Dotted path to literal, list of literals (any), "/RE2/" or null (absent); all must hold',
        example: { 'alarmEvent.deviceType': 'fallDetector', sipFrom: '/^\\+46/' },
      }),
    path: z
      .string()
      .max(512)
      .optional()
      .meta({ description: 'Appended to callbackBaseUrl', example: '/fall' }),
    body: jsonField.optional().meta({
      description: 'Body instead of the default shape; {{path}} inserts a value',
      example: { unit: '{{alarmEvent.deviceId}}' },
    }),
    set: z
      .record(dottedPath, jsonField)
      .optional()
      .meta({
        description: 'Values that are set in the event before it is sent',
        example: { 'alarmEvent.priority': 9 },
      }),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Further request headers', example: { 'X-Kind': 'fall' } }),
    drop: z
      .boolean()
      .optional()
      .meta({ description: 'true: send nothing, act as the answer drop', example: true }),
  })
  .meta({ id: 'EventRule', description: 'One rule; the first rule that matches wins' });

/** Rules that turn alarm events into callback requests. */
export const customEventMapSchema = z
  .strictObject({
    rules: z
      .array(ruleSchema)
      .max(500)
      .meta({ description: 'Rules in order', example: [{ when: { sipFrom: '/^\\+46/' }, path: '/fall' }] }),
    otherwise: z
      .literal('default')
      .optional()
      .meta({ description: 'default: send the default shape', example: 'default' }),
  })
  .superRefine((map, context) => {
    const compiled = compileEventMap(map);
    if (compiled.ok) return;
    const { path, reason, code, position } = compiled.error;
    const steps = path
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    context.addIssue({ code: 'custom', message: reason, path: steps, params: { code, position } });
  })
  .meta({
    id: 'CustomEventMap',
    description: 'Rules transforming alarm events into callback requests',
    example: {
      rules: [
        {
          when: { 'alarmEvent.deviceType': 'fallDetector', sipFrom: '/^\\+46/' },
          path: '/fall',
          body: { type: 'FALL', unit: '{{alarmEvent.deviceId}}' },
          set: { 'alarmEvent.priority': 9 },
        },
      ],
      otherwise: 'default',
    },
  });

/**
 * Body of trymap: an event in the default shape of newAlarmbridgeEvent, or as much of it as the rules look at.
 */
export const eventMapTrialSchema = z.looseObject({}).meta({
  id: 'EventMapTrialRequest',
  description: 'newAlarmbridgeEvent, or the part of it that the rules use',
  example: { sipFrom: '+46855511000', alarmEvent: { deviceType: 'fallDetector', deviceId: '0042' } },
});

/** Answer of trymap: what would be sent. */
export const eventMapTrialAnswerSchema = z
  .strictObject({
    success: successField,
    rule: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Index of the rule that matched; null: none', example: 0, 'x-unit': 'rules' }),
    path: z.string().meta({ description: 'Appended to callbackBaseUrl', example: '/fall' }),
    body: z
      .unknown()
      .meta({ description: 'Body that would be sent; null when dropped', example: { unit: '0042' } }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Further request headers', example: { 'X-Kind': 'fall' } }),
    drop: z.boolean().meta({ description: 'true: nothing would be sent', example: false }),
  })
  .meta({ id: 'EventMapTrial', description: 'Result of a customEventMap for an event' });

export type CustomEventMap = z.infer<typeof customEventMapSchema>;
