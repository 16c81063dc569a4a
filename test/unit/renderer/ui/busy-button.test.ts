// @vitest-environment happy-dom
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import BusyButton from '../../../../renderer/ui/BusyButton.vue';
import { mounted } from './mounted.ts';

const root = join(import.meta.dirname, '../../../../renderer');

it('says that it is busy itself, and hides its spinner, which has no name', () => {
  const button = mounted(BusyButton, { props: { loading: true } });
  expect(button.attributes('aria-busy')).toBe('true');
  const spinners = button.findAll('[role=progressbar]');
  expect(spinners.map((one) => one.attributes('aria-hidden'))).toEqual(['true']);
});

it('is every button that may be busy', () => {
  const others = globSync('**/*.vue', { cwd: root }).filter(
    (file) =>
      file !== join('ui', 'BusyButton.vue') &&
      /<(v-btn|IconButton)\s(?:[^">]|"[^"]*")*?:?loading\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(others).toEqual([]);
});
