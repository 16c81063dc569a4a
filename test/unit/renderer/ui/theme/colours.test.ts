import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dark, light } from '../../../../../renderer/ui/theme/palette.ts';

const root = join(import.meta.dirname, '../../../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it('has components take what a level is filled with from the theme', () => {
  const fills = [...read('renderer/ui/theme/base.css').matchAll(/--[\w-]+-fill: (#\w+);/g)].map(
    ([, fill = '']) => fill,
  );
  expect(fills).toHaveLength(4);
  const reserved = [light, dark].flatMap(({ colors = {} }) => [colors.error, colors.warning, colors['unknown']]);
  const colours = [...fills.filter((one) => one !== '#fff'), ...reserved].map(String);
  const files = globSync('renderer/**/*.vue', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => colours.some((colour) => read(file).toLowerCase().includes(colour)))).toEqual([]);
});
