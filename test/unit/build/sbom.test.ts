import { expect, it } from 'vitest';
import { billOf } from '../../../build/sbom.ts';

const part = (name: string, scope: string) => ({ name, version: '1.0.0', scope });

it('names no part that is not in the bill, what the program itself depends on, and what it runs by', () => {
  const all = {
    metadata: { component: { 'bom-ref': 'orangery@0.1.0' } },
    components: [
      part('koa', 'optional'),
      part('vitest', 'optional'),
      part('serialport', 'required'),
      part('electron', 'excluded'),
    ],
    dependencies: [
      { ref: 'orangery@0.1.0', dependsOn: ['koa@1.0.0', 'vitest@1.0.0', 'serialport@1.0.0'] },
      { ref: 'koa@1.0.0', dependsOn: ['vitest@1.0.0'] },
      { ref: 'vitest@1.0.0', dependsOn: ['koa@1.0.0'] },
      { ref: 'serialport@1.0.0', dependsOn: [] },
    ],
  };
  const { components, dependencies } = billOf(all, new Set(['koa@1.0.0']));
  expect(components).toEqual(['koa', 'serialport', 'electron'].map((name) => part(name, 'required')));
  expect(dependencies).toEqual([
    { ref: 'orangery@0.1.0', dependsOn: ['koa@1.0.0', 'serialport@1.0.0'] },
    { ref: 'koa@1.0.0', dependsOn: [] },
    { ref: 'serialport@1.0.0', dependsOn: [] },
  ]);
});
