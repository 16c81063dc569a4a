import { expect, it } from 'vitest';
import { deviceSays } from '../../../../server/contract/device-words.ts';
import { said as ja } from '../../../../renderer/i18n/ja/said.ts';
import { said as ko } from '../../../../renderer/i18n/ko/said.ts';
import { deviceWordsText } from '../../../../server/contract/device-words.ts';

const speaking =
  (said: Record<string, string>) =>
  (key: string, named: Record<string, unknown> = {}): string =>
    (said[key.replace('said.', '')] ?? '').replace(/\{(\w+)\}/g, (_, place: string) => String(named[place]));

it('says what a driver says in the language of the page', () => {
  expect(deviceWordsText(deviceSays('refuses_all'), speaking(ko))).toBe('모든 명령을 거부합니다');
  expect(deviceWordsText(deviceSays('no_answer_ms', { ms: 40 }), speaking(ja))).toBe('40 ms 以内に応答がありません');
});

it('says the reason of a lost connection too', () => {
  const lost = deviceSays('no_broker', { host: '10.0.0.7:1883', said: deviceSays('connection_lost') });
  expect(deviceWordsText(lost, speaking(ko))).toBe('브로커 10.0.0.7:1883에 연결할 수 없음: 연결이 끊겼습니다');
});

it('says which action failed by its name, and a limit by what crossed it', () => {
  const limit = deviceSays('above_limit', { said: deviceSays('wind'), limit: 12, unit: 'm/s' });
  expect(deviceWordsText(limit, speaking(ja))).toBe('風が限界値 12 m/s を上回っています');
  const say = speaking({ ...ko, 'ui.colon': ': ' });
  expect(deviceWordsText(`Lamps: ${deviceSays('own_switch')}`, say)).toBe(
    'Lamps: 제어기는 자기 자신을 켜거나 끌 수 없습니다',
  );
});

it('leaves the words of a device as they are', () => {
  expect(deviceWordsText('illegal data address', speaking(ko))).toBe('illegal data address');
  const refused = deviceSays('broker_refuses', { topic: 'farm/valve', said: 'not authorised' });
  expect(deviceWordsText(refused, speaking(ja))).toBe('ブローカーが farm/valve を拒否しました：not authorised');
});
