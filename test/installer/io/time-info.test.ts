import { describe, expect, test } from 'vitest';
import { readsFolder } from '#installer/io/network/time-info.ts';

describe('the main file of chrony', () => {
  test.each([
    ['of Debian', 'pool 2.debian.pool.ntp.org iburst\nconfdir /etc/chrony/conf.d\nrtcsync\n', true],
    ['with another folder before it', 'ConfDir /run/chrony.d /etc/chrony/conf.d/\n', true],
    ['with a pattern', '  include /etc/chrony/conf.d/*.conf\n', true],
    ['with the line taken out', '# confdir /etc/chrony/conf.d\n', false],
    ['of Fedora', 'sourcedir /run/chrony-dhcp\n', false],
    ['with a folder of another name', 'confdir /etc/chrony/conf.d.old\n', false],
    ['that is not there', '', false],
  ])('%s reads our folder, or does not', (_, text, reads) => {
    expect(readsFolder(text)).toBe(reads);
  });
});
