// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { mounted } from '../../ui/mounted.ts';
import { useSentRows } from '../../../../../renderer/features/settings/use-sent-rows.ts';

interface Row {
  id: string;
  name: string;
}

/** A list that the settings give anew, so that its rows are other objects with every reading. */
function list(...names: string[]) {
  let stored = names.map((name) => ({ id: name, name }));
  const rows = () => structuredClone(stored);
  const send = (sent: Row[]): Promise<void> => {
    stored = sent;
    return Promise.resolve();
  };
  const used: ReturnType<typeof useSentRows<Row>>[] = [];
  mounted(
    { render: () => null, setup: () => void used.push(useSentRows<Row>({ rows, idOf: ({ id }) => id, send })) },
    {},
  );
  const [sent] = used;
  if (sent === undefined) throw new Error('not set up');
  return { ...sent, shown: () => stored.map(({ name }) => name), drop: () => stored.splice(0) };
}

describe('a list that is sent as a whole', () => {
  it('gets a new row at its end', async () => {
    const { dialogs, store, shown } = list('one');
    dialogs.edit(null);
    await store({ id: 'two', name: 'two' });
    expect(shown()).toEqual(['one', 'two']);
  });

  it('keeps the place of a row that is changed, though the list was read again meanwhile', async () => {
    const { dialogs, store, shown } = list('one', 'two');
    dialogs.edit({ id: 'one', name: 'one' });
    await store({ id: 'one', name: 'first' });
    expect(shown()).toEqual(['first', 'two']);
  });

  it('does not lose what was entered of a row that somebody else deleted', async () => {
    const { dialogs, store, shown, drop } = list('one');
    dialogs.edit({ id: 'one', name: 'one' });
    drop();
    await store({ id: 'one', name: 'first' });
    expect(shown()).toEqual(['first']);
  });

  it('loses the row that is removed alone', async () => {
    const { remove, shown } = list('one', 'two');
    await remove({ id: 'one', name: 'one' });
    expect(shown()).toEqual(['two']);
  });
});
