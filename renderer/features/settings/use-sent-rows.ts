import { useText } from '../../i18n/index.ts';
import { useNotice } from '../../stores/notice.ts';
import { useRowDialogs, type RowDialogs } from './use-row-dialogs.ts';

/** A list of the settings that is sent as a whole. */
interface SentRows<Row, Sent> {
  rows: () => readonly Row[];
  /** The identity of a row, stable when the list is reloaded. */
  idOf: (row: Row) => string;
  send: (rows: (Row | Sent)[]) => Promise<void>;
}

/**
 * The dialogs of such a list, and their actions: an edited row keeps its place; a new one, or one deleted meanwhile,
 * goes last.
 */
export function useSentRows<Row, Sent = Row>({
  rows,
  idOf,
  send,
}: SentRows<Row, Sent>): {
  dialogs: RowDialogs<Row>;
  store: (sent: Sent) => Promise<void>;
  remove: (gone: Row) => Promise<void>;
} {
  const { t } = useText();
  const notice = useNotice();
  const dialogs = useRowDialogs<Row>();

  async function store(sent: Sent): Promise<void> {
    const before = dialogs.chosen.value;
    const at = before === null ? -1 : rows().findIndex((row) => idOf(row) === idOf(before));
    const all: (Row | Sent)[] = [...rows()];
    all.splice(at === -1 ? all.length : at, 1, sent);
    await send(all);
    notice.done(t('account.saved'));
  }

  const remove = (gone: Row): Promise<void> => send(rows().filter((row) => idOf(row) !== idOf(gone)));

  return { dialogs, store, remove };
}
