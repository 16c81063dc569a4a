// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { ApiError } from '../../../../renderer/client/api-error.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import ErrorNotice from '../../../../renderer/ui/ErrorNotice.vue';
import type { Problem } from '../../../../server/contract/errors.ts';
import { mounted } from './mounted.ts';

it('names the faulty field as its form does', () => {
  const problem: Problem = {
    ...{ type: 'about:blank', title: '', status: 400, detail: '', code: 'invalid_field', request_id: '' },
    errors: [{ path: 'channels[0].name', code: 'required', message: 'Required' }],
  };
  const notice = mounted(ErrorNotice, { props: { error: new ApiError('invalid_field', '', { problem }) } });
  const { fields } = en.devices;
  expect(notice.get('li').text()).toBe(`${fields.channels} › 1 › ${en.ui.name}: ${en.ui.fault.required}`);
});
