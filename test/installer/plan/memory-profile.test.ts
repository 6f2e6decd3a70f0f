import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurePlan, layout, MEMORY_PROFILES, neededMb } from '#installer/plan/index.ts';
import { dropInText } from '#installer/plan/install/drop-in.ts';
import { readSettings, settingTable } from '#shared/setting/index.ts';

const unit = readFileSync('systemd/carillon-appliance.service', 'utf8');

describe('the memory of a site', () => {
  it.each([{}, { memory_profile: 'standard' }])('is that of the unit with %j', (written) => {
    expect(dropInText(written)).not.toContain('[Service]');
    const { highMb, maxMb } = MEMORY_PROFILES.standard;
    expect(unit).toContain(`MemoryHigh=${highMb}M\nMemoryMax=${maxMb}M\n`);
  });

  it('is less for a small one and more for a large one, beside a low port', () => {
    expect(dropInText({ memory_profile: 'small' })).toMatch(
      /\[Service\]\n#.*small\nMemoryHigh=256M\nMemoryMax=352M\n$/,
    );
    const text = dropInText({ memory_profile: 'large', sip_tls: '0.0.0.0:443' });
    expect(text.match(/\[Service\]/g)).toHaveLength(1);
    expect(text).toContain('MemoryHigh=1024M\nMemoryMax=1536M\n# Port 443\n');
  });

  it('is written with the configuration', () => {
    const files = configurePlan({ memory_profile: 'large' }, true)
      .steps.flatMap(({ actions }) => actions)
      .flatMap((action) => (action.kind === 'file' ? [[action.path, action.text] as const] : []));
    expect(new Map(files).get(layout.dropIn)).toContain('MemoryMax=1536M');
    expect(new Map(files).get(layout.configuration)).toContain('memory_profile = "large"');
  });

  it('has a name that settings know, and leaves something for the rest of the machine', () => {
    for (const [name, { highMb, maxMb }] of Object.entries(MEMORY_PROFILES)) {
      const read = readSettings(settingTable, { flags: {}, environment: {}, file: { memory_profile: name } });
      expect(read).toMatchObject({ ok: true, value: { values: { memoryProfile: name } } });
      expect(highMb).toBeLessThan(maxMb);
      expect(neededMb(name as keyof typeof MEMORY_PROFILES)).toBeGreaterThan(maxMb);
    }
    // The least machine that an installation accepts.
    expect(neededMb('standard')).toBeLessThanOrEqual(1_000);
  });
});
