// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { ApiError } from '../../../../renderer/client/api-error.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import ErrorNotice from '../../../../renderer/ui/ErrorNotice.vue';
import { why } from '../../../../server/contract/refusal-reason.ts';
import type { Problem } from '../../../../server/contract/errors.ts';
import { mounted } from './mounted.ts';

const answered = { type: 'about:blank', title: '', status: 409, request_id: '' } as const;

it.each([
  [why('no_sound_backup'), en.refusals.no_sound_backup, []],
  [{ message: 'relay stuck' }, en.errors.conflict, ['relay stuck']],
  [{ message: 'the connection was lost' }, en.errors.conflict, [en.said.connection_lost]],
])('shows English words only where nothing else is known: %o', ({ message, ...said }, text, details) => {
  const problem: Problem = { ...answered, code: 'conflict', detail: message, ...said };
  const notice = mounted(ErrorNotice, { props: { error: new ApiError('conflict', message, { problem }) } });
  expect(notice.get('strong').text()).toBe(text);
  expect(notice.findAll('li').map((one) => one.text())).toEqual(details);
});

it('names the faulty field as its form does', () => {
  const problem: Problem = {
    ...answered,
    status: 400,
    detail: '',
    code: 'invalid_field',
    errors: [{ path: 'channels[0].name', code: 'required', message: 'Required' }],
  };
  const notice = mounted(ErrorNotice, { props: { error: new ApiError('invalid_field', '', { problem }) } });
  const { fields } = en.devices;
  expect(notice.get('li').text()).toBe(`${fields.channels} › 1 › ${en.ui.name}: ${en.ui.fault.required}`);
});
