import { describe, expect, it } from 'vitest';
import { filled } from '../../../../server/daemon/drivers/http/template.ts';

describe('a template of a command', () => {
  it.each([
    ['/relay?turn={state}', 'on', '/relay?turn=on'],
    ['/relay?turn={state}', 'off', '/relay?turn=off'],
    ['{"on": {bool}}', 'on', '{"on": true}'],
    ['{"on": {bool}}', 'off', '{"on": false}'],
    ['{bit}{bit}', 'on', '11'],
    ['{bit}', 'off', '0'],
    ['{"state": {"bri": {value}}}', 42.5, '{"state": {"bri": 42.5}}'],
    ['{value}', 'on', '100'],
    ['{value}', 'off', '0'],
    ['{state}', 1, 'on'],
    ['{other} { value } $&', 'on', '{other} { value } $&'],
  ] as const)('%s with %s is %s', (template, value, text) => {
    expect(filled(template, value)).toBe(text);
  });
});
