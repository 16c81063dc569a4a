import { mdiCheck, mdiPlus } from '@mdi/js';
import { describe, expect, it } from 'vitest';
import { withIcons } from '../../../build/own-icons.ts';

describe('The icons of a module', () => {
  it('are written into it, and nothing else is changed', () =>
    expect(
      withIcons(
        "import { a } from './a.ts';\nimport { mdiCheck, mdiPlus as plus } from '@mdi/js';\na(mdiCheck, plus);",
      ),
    ).toBe(
      `import { a } from './a.ts';\nconst mdiCheck = "${mdiCheck}";const plus = "${mdiPlus}";\na(mdiCheck, plus);`,
    ));

  it('exist', () => {
    expect(() => withIcons("import { mdiNowhere } from '@mdi/js';")).toThrow('has no icon mdiNowhere');
    expect(() => withIcons("import * as all from '@mdi/js';")).toThrow('has no icon');
  });
});
