import type { Translate } from '../i18n/index.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Who did something, in words: translates `kim by key NAME` and `end of CONTROLLER` of states, events and journals. */
export function actorText(actor: string, t: Translate): string {
  const [, ended] = /^end of (.+)$/.exec(actor) ?? [];
  if (ended !== undefined && uuid.test(ended)) return t('ui.controllerEnded');
  const [, user, key] = /^(.{1,64}?) by key (.{1,120})$/s.exec(actor) ?? [];
  return user === undefined || key === undefined ? actor : `${user} · ${keyText(uuid.test(key) ? undefined : key, t)}`;
}

/** For a key: null when it was deleted, undefined when only its identifier was recorded. */
export function keyText(key: string | null | undefined, t: Translate): string {
  if (key === undefined) return t('ui.key.unnamed');
  return key === null ? t('ui.key.deleted') : t('ui.key.named', { key });
}
