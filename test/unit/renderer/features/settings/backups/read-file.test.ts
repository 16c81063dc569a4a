// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { readFile } from '../../../../../../renderer/features/settings/backups/read-file.ts';
import SiteFileCard from '../../../../../../renderer/features/settings/backups/SiteFileCard.vue';
import { useNotice } from '../../../../../../renderer/stores/notice.ts';
import { en } from '../../../../../../renderer/i18n/en/index.ts';
import { deviceFile } from '../../../../../../server/contract/device-file.ts';
import { mounted } from '../../../ui/mounted.ts';

const ofTomorrow = { version: 2, made_at: '2030-01-01T00:00:00Z', program_version: '9.0.0', orchards: [] };
const { site, newerFile } = en.backups;

it.each([
  ['a site of tomorrow', { ...ofTomorrow, format: 'orangery-site' }, newerFile],
  ['a file of devices', { ...ofTomorrow, format: 'orangery-devices' }, site.unreadable],
  ['a broken site of today', { format: 'orangery-site', version: 1, maps: 'none' }, site.unreadable],
  ['no object', 'a note', site.unreadable],
])('says of %s what is wrong with it', async (_, content, words) => {
  const card = mounted(SiteFileCard, {});
  const input = card.get<HTMLInputElement>('input[type=file]');
  Object.defineProperty(input.element, 'files', { value: [new File([JSON.stringify(content)], 'file.json')] });
  await input.trigger('change');
  const before = card.html();
  await expect.poll(() => useNotice().shown?.text).toBe(words);
  expect(card.html()).toBe(before); // what can be pressed stays where it is
});

it('reads a file of devices, and tells one of tomorrow from what is none', () => {
  const file = { ...ofTomorrow, format: 'orangery-devices' };
  const { orchards: _, ...today } = { ...file, version: 1, entries: [] };
  expect(readFile(deviceFile, JSON.stringify(today))).toEqual({ content: today, fault: null });
  expect(readFile(deviceFile, JSON.stringify(file)).fault).toBe('newer');
  expect(readFile(deviceFile, JSON.stringify({ ...file, format: 'orangery-site' })).fault).toBe('unreadable');
  expect(readFile(deviceFile, '{').fault).toBe('unreadable');
});
