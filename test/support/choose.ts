import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

const scrollOn = (list: Element): void => {
  list.scrollBy(0, 100);
};

/**
 * Selects an option (its whole name, or a pattern of it) in a select field by keys and pointer, until the field shows
 * it.
 */
export async function choose(field: Locator, option: string | RegExp): Promise<void> {
  const entry = field.page().getByRole('option', { name: option, exact: true }).first();
  const list = field.page().getByRole('listbox').last();
  const box = field.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " v-input ")][1]');
  const shown = async (): Promise<string> => `${await box.innerText()} ${await field.inputValue()}`;
  const isTaken = async (): Promise<boolean> => {
    try {
      // A list closes when its page scrolls or redraws, on a busy machine after the key.
      await field.press('ArrowDown');
      await list.waitFor({ timeout: 5_000 });
      // A long list draws only its visible part.
      for (let part = 0; part < 30 && !(await entry.isVisible()); part += 1) await list.evaluate(scrollOn);
      const title = await entry.locator('.v-list-item-title').innerText({ timeout: 5_000 });
      await entry.click({ timeout: 2_000 });
      await expect.poll(shown, { timeout: 5_000 }).toContain(title);
      return true;
    } catch {
      return false;
    }
  };
  await expect.poll(isTaken, { timeout: 60_000 }).toBe(true);
}
