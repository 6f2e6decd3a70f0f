import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The roles from the fewest rights to all. */
export const ROLES = ['viewer', 'technician', 'operator', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Name of a role, and its rights in words. */
export const ROLE_WORDS: Readonly<Record<Role, { name: MessageDescriptor; rights: MessageDescriptor }>> = {
  viewer: { name: msg`Viewer`, rights: msg`reads everything but secrets, changes nothing` },
  technician: { name: msg`Technician`, rights: msg`sites and hosts: install, drain, swap, self-test` },
  operator: {
    name: msg`Operator`,
    rights: msg`alarms and calls: acknowledge, deliver again, listen, command`,
  },
  admin: { name: msg`Administrator`, rights: msg`sets up receivers, devices, keys and personal data` },
  owner: { name: msg`Owner`, rights: msg`everything, and who may enter` },
};
