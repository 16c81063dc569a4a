// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { isInFieldOrDialog, isInTextOrDialog } from '../../../../../renderer/features/map/field-or-dialog.ts';

const overlay = (state: string, inside: string): string => `<div class="v-overlay ${state}">${inside}</div>`;

it.each([
  ['a button of the page', '<button></button>', false],
  ['a field', '<input>', true],
  ['text that can be edited', '<p contenteditable></p>', true],
  ['a button of an open dialog', overlay('v-overlay--active', '<button></button>'), true],
  ['a button of a dialog that fades', overlay('', '<button></button>'), false],
  ['a field of a dialog that fades', overlay('', '<input>'), false],
])('keys belong to %s or to the map', (_what, html, isElsewhere) => {
  document.body.innerHTML = html;
  expect(isInFieldOrDialog(document.body.querySelector('button, input, p'))).toBe(isElsewhere);
});

it.each([
  ['a button of the page', '<button></button>', false],
  ['a field', '<input>', true],
  ['a number', '<input type="number">', true],
  ['a list', '<input readonly>', false],
  ['a list that says so to touch screens alone', '<input inputmode="none">', false],
  ['a box', '<input type="checkbox">', false],
  ['a list of an open dialog', overlay('v-overlay--active', '<input readonly>'), true],
])('undo and redo belong to %s or to the map', (_what, html, isElsewhere) => {
  document.body.innerHTML = html;
  expect(isInTextOrDialog(document.body.querySelector('button, input'))).toBe(isElsewhere);
});

it('keys without a target belong to the map', () => {
  expect(isInFieldOrDialog(null)).toBe(false);
  expect(isInTextOrDialog(null)).toBe(false);
});
