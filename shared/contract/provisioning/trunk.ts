import { z } from 'zod';
import { addressBlockFault } from '../../matching/index.ts';
import {
  durationMsField,
  flagField,
  ignoring,
  nameField,
  secretField,
  sipUriField,
  textField,
  trunkGroupField,
} from './field.ts';
import { MEDIA_CODECS, SRTP_POLICIES } from './media.ts';

const DIRECTIONS = ['in', 'out', 'both'] as const;
const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;

/** Longest number rule; a number of E.164 has 15 digits. */
const DIGITS = /^\+?[0-9*#]{0,32}$/;
const digits = z
  .string()
  .regex(DIGITS, { message: 'must be at most 32 digits, * or #, with an optional + before' });

const hostSchema = z
  .strictObject({
    uri: sipUriField.meta({ description: 'SIP URI of the host', example: 'sip:192.0.2.10:5060' }),
    priority: z
      .number()
      .int()
      .min(0)
      .max(65_535)
      .default(10)
      .meta({ description: 'Hosts with the lowest value are tried first', example: 20 }),
    weight: z.number().int().min(0).max(65_535).default(100).meta({
      description: 'Share among hosts of one priority; 0: only when no other host is left',
      example: 50,
    }),
  })
  .meta({ id: 'TrunkHost', description: 'One host of a trunk, with priority and weight as in RFC 2782' });

const cidr = z.string().superRefine((text, context) => {
  const reason = addressBlockFault(text);
  if (reason !== undefined) context.addIssue({ code: 'custom', message: reason });
});

const fields = {
  name: nameField.meta({ description: 'Name given by the customer', example: 'Carrier north' }),
  description: textField('Description', 'Main carrier, contract 4711'),
  trunkGroupId: trunkGroupField.optional().meta({
    description: 'Calls of devices and mappers that name this group leave by this trunk',
    example: 'carrier-north',
  }),
  direction: z
    .enum(DIRECTIONS)
    .default('both')
    .meta({ description: 'Direction of the calls of this trunk', example: 'out' }),
  hosts: z
    .array(hostSchema)
    .max(32)
    .default([])
    .meta({
      description: 'Hosts for outbound calls, by priority and weight; mandatory unless direction is in',
      example: [{ uri: 'sip:192.0.2.10:5060', priority: 10, weight: 100 }],
    }),
  transport: z
    .enum(TRANSPORTS)
    .default('udp')
    .meta({ description: 'Transport to hosts whose URI names none', example: 'tls' }),
  ipAllowList: z
    .array(cidr)
    .max(256)
    .default([])
    .meta({
      description: 'Permitted source addresses and CIDR blocks of calls; empty: only with trunkKey',
      example: ['192.0.2.0/24'],
    }),
  username: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'User of the digest authentication at the hosts', example: 'carillon' }),
  password: secretField
    .optional()
    .meta({ description: 'Password of the digest authentication at the hosts', example: '<PASSWORD>' }),
  register: flagField(false, 'Register at the hosts as username'),
  trunkKey: secretField.optional().meta({
    description: 'Key of inbound calls in the header X-Trunk-Key, together with X-Terminating-Trunk-Group-Id',
    example: '<TRUNK_KEY>',
  }),
  terminatingTrunkGroupId: trunkGroupField.optional().meta({
    description: 'Group that inbound calls name in the header X-Terminating-Trunk-Group-Id',
    example: 'care-in',
  }),
  codecs: z
    .array(z.enum(MEDIA_CODECS))
    .min(1)
    .max(8)
    .default(['PCMA', 'PCMU'])
    .meta({ description: 'Codecs offered and accepted, best first', example: ['PCMA'] }),
  srtp: z.enum(SRTP_POLICIES).default('negotiated').meta({
    description: 'Whether media is encrypted',
    example: 'never',
  }),
  forceRtpRelay: flagField(
    false,
    'The hosts are behind NAT: audio is sent to the source of their audio, not to the announced address',
  ),
  emergencyData: flagField(
    false,
    'Emergency calls by this trunk carry the location and facts of the device (RFC 6442, RFC 7852); a host that refuses them gets the call again without them',
  ),
  numberPrefix: digits
    .min(1)
    .optional()
    .meta({ description: 'Prefix of the numbers that leave by this trunk', example: '+46' }),
  strip: z.number().int().min(0).max(32).default(0).meta({
    description: 'Number of characters removed from the front of the called number',
    example: 3,
    'x-unit': 'signs',
  }),
  prepend: digits
    .default('')
    .meta({ description: 'Prefix added to the called number after strip', example: '0' }),
  optionsInterval: durationMsField
    .min(5_000, { message: 'must be 0 or at least 5000 ms' })
    .or(z.literal(0))
    .default(60_000)
    .meta({ description: 'Time between OPTIONS to each host; 0: none', example: 30_000, 'x-unit': 'ms' }),
} as const;

const stored = z.strictObject(fields);

/** Refuses, when it is provisioned, a trunk that can never carry a call. */
function checkTrunk(trunk: z.output<typeof stored>, context: z.RefinementCtx): void {
  const refuse = (path: keyof typeof trunk, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { direction, hosts, register, username, password, trunkKey, terminatingTrunkGroupId } = trunk;
  if (direction !== 'in' && hosts.length === 0)
    refuse('hosts', `is mandatory when direction is ${direction}`);
  if (direction === 'in' && trunk.ipAllowList.length === 0 && trunkKey === undefined)
    refuse(
      'ipAllowList',
      'or trunkKey is mandatory when direction is in, because the trunk could not be recognised otherwise',
    );
  if (register && username === undefined) refuse('username', 'is mandatory when register is true');
  else if (password !== undefined && username === undefined)
    refuse('username', 'is mandatory when password is set');
  if (register && password === undefined) refuse('password', 'is mandatory when register is true');
  if (register && hosts.length === 0) refuse('hosts', 'is mandatory when register is true');
  if (trunkKey !== undefined && terminatingTrunkGroupId === undefined)
    refuse('terminatingTrunkGroupId', 'is mandatory when trunkKey is set, because inbound calls name both');
}

/**
 * A trunk as it is stored: every default is there.
 *
 * 2026-11: `forceRtpRelay`, which document 1 (cloud SIP user agents) expects of "a trunk that enables NAT traversal"; absent is false.
 */
const trunkSchema = stored.superRefine(checkTrunk).meta({
  id: 'TrunkRequest',
  description: 'Trunk: SIP hosts of a carrier or of an exchange',
  example: {
    name: 'Carrier north',
    trunkGroupId: 'carrier-north',
    hosts: [{ uri: 'sip:192.0.2.10:5060' }],
    ipAllowList: ['192.0.2.0/24'],
  },
});

/** Body of POST and PUT, and what a patched trunk must still be. */
export const trunkRequestSchema = ignoring(['id', 'success', 'reason'], trunkSchema);

const given = {
  id: z
    .string()
    .meta({ description: 'Unique id, generated by the service', readOnly: true, example: '01j9z3n6t2' }),
};

/** Trunk in an answer; secrets are shown as the placeholder. */
export const trunkResponseSchema = stored.extend(given).meta({ id: 'Trunk', description: 'Stored trunk' });

/** Trunk as a site receives it, with its secrets; properties a newer cloud may add are dropped. */
export const replicatedTrunkSchema = stored.extend(given).strip();

export type Trunk = z.output<typeof trunkSchema>;
export type TrunkResponse = z.output<typeof trunkResponseSchema>;
export type ReplicatedTrunk = z.output<typeof replicatedTrunkSchema>;
