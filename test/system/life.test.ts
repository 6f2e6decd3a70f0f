import { afterAll, beforeAll, inject } from 'vitest';
import { firstContact } from './life/first-contact.ts';
import { installation } from './life/installation.ts';
import { removal } from './life/removal.ts';
import { siteHost } from './life/site.ts';
import { Life } from './life/stage.ts';
import { upgrade } from './life/upgrade.ts';

/**
 * One Debian 12 from the first contact to the removal, in the order in which a host lives. Each part uses what the one
 * before has left.
 */
const life = new Life(inject('release'));

beforeAll(() => life.begin());
afterAll(() => life.end());

firstContact(life);
installation(life);
siteHost(life);
upgrade(life);
removal(life);
