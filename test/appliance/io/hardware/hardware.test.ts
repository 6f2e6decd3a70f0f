import { expect, it } from 'vitest';
import { readHardware } from '#appliance/io/hardware/index.ts';

it('names the processor, the operating system and the file systems of this machine', async () => {
  const { processor, operatingSystem, fileSystems } = await readHardware();
  expect(processor).toMatchObject({ cores: expect.any(Number) });
  expect(operatingSystem).toMatchObject({ platform: 'linux' });
  expect(fileSystems).toContainEqual(expect.objectContaining({ mount: '/' }));
});
