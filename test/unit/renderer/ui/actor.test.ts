// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { useText } from '../../../../renderer/i18n/index.ts';
import { actorText, keyText } from '../../../../renderer/ui/actor.ts';
import { mounted } from './mounted.ts';

const said = (say: (t: ReturnType<typeof useText>['t']) => string): string =>
  mounted(
    defineComponent({
      setup: () => {
        const { t } = useText();
        return () => h('p', say(t));
      },
    }),
    {},
  ).text();

it.each([
  ['kim', 'kim'],
  ['pyro', 'pyro'],
  ['kim by key Climate computer', 'kim · key Climate computer'],
  ['kim by key left by key right', 'kim · key left by key right'],
  ['kim by key 00000000-0000-4000-8000-00000000000a', 'kim · by API key'],
  ['end of 00000000-0000-4000-8000-00000000000a', 'safe state after its controller ended'],
  ['end of season', 'end of season'],
])('says who it was: %s', (actor, text) => {
  expect(said((t) => actorText(actor, t))).toBe(text);
});

it('says of a key that was deleted that it was', () => {
  expect(said((t) => keyText(null, t))).toBe('key deleted');
});
