import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { messagesOf, type MessageKey } from '../../../../renderer/i18n/index.ts';
import { language as languages } from '../../../../server/contract/language.ts';

const root = join(import.meta.dirname, '../../../..');

/** Words for which the glossary has another, with what they are part of where they are right. */
const forbidden = {
  ko: [
    '사이트',
    '현장',
    '(?<!비닐)하우스',
    '(?<!기반 )시설',
    '디바이스',
    '액추에이터',
    '작동기',
    '컨트롤러',
    '알람',
    '실외',
    '외기',
    '옥외',
    '포차',
    '수증기압차(?!\\(VPD\\))',
    '부족분',
    '온실 \\{n\\}동',
    '목표',
    '그림(으로|을|\\(| 저장| 파일)',
    '관개',
    '하십시오|그리십시오',
    '노트(?!북)',
    '모의',
    '(?<!알루미늄 )스크린',
    '보온 커튼',
    '차광 커튼',
    '차광막',
    '순환팬',
    '배기팬',
    '환풍기',
    '차트',
    '조율',
    '저절로',
    '외곽선',
    '\\} ?님',
    '듀티(?!비)',
    '개도',
    '적산 온도',
    '웹 지도',
    '확대 수준',
    '[가-힣}] \\((?=[^)]*[가-힣A-Za-z{])',
  ],
  ja: [
    '(?<!ウェブ)サイト',
    '現場',
    '圃場',
    '施設',
    '(?<!パイプ)ハウス',
    '温室を? \\{n\\} 棟',
    'デバイス',
    'アクチュエータ(?!ー)',
    'コントローラー',
    'アラーム',
    '室外',
    '飽差(?!（(VPD|HD)）)',
    '目標',
    '潅水',
    'かん水',
    '命令',
    '仮想',
    '(?<!アルミ)スクリーン',
    '操作機器',
    '駆動機器',
    '作動機器',
    'ミスト',
    '補光灯',
    '外形',
    '道具',
    '〜',
    '\\} ?さん',
    'デューティ(?!比)',
    'レジスタ(?!ー)',
    '入切|入り切り',
    '積算温度時',
    '屋外(温度|気温)',
    'ライブ',
    '拡大レベル',
    '[ぁ-んァ-ヶー一-龠}」] ?[(:?!]',
    '(?<=[ぁ-んァ-ヶー一-龠}])(?<!run\\(動作)[,.] ',
    '[ぁ-んァ-ヶー一-龠}]\\.(?=[\'"])',
    '\\}; ',
    '\\{(period|offset)\\} |\\{time\\} (ごと|以内|以上|経過|後)',
  ],
  en: [
    'nobody is told',
    'counted is no output',
    '(drain|light|below) target|target (light|drain)',
    '(some|every)body ',
    'energy screen',
    'simulated house',
    'vents? shut',
    'put back',
    'copy destination',
    'background map',
    'flashing',
  ],
} as const;

it.each(Object.entries(forbidden))('%s has one word a thing', (language, words) => {
  const files = globSync([`renderer/i18n/${language}/*.ts`, `resources/*-text/${language}.json`], { cwd: root });
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => words.some((word) => new RegExp(word, 'i').test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

/** Buttons and the states that they bring about. */
const statesOfButtons = [
  ['ui.command.turnOn', 'ui.on'],
  ['ui.command.turnOff', 'ui.off'],
  ['control.hold', 'control.states.held'],
  ['control.pause', 'control.states.paused'],
  ['alarms.acknowledge', 'alarms.state.acknowledged'],
  ['alarms.shelve', 'alarms.state.shelved'],
  ['alarms.removeFromService', 'alarms.state.out_of_service'],
  ['alarms.acknowledge', 'alarms.transition.acknowledge'],
  ['alarms.shelve', 'alarms.transition.shelve'],
  ['alarms.removeFromService', 'alarms.transition.remove_from_service'],
  ['alarms.returnToService', 'alarms.transition.return_to_service'],
  ['commissioning.abort', 'commissioning.statuses.aborted'],
  ['commissioning.approve', 'commissioning.verdicts.approved'],
  ['commissioning.hold', 'commissioning.verdicts.held'],
  ['account.keys.revoke', 'account.keys.states.revoked'],
] satisfies [MessageKey, MessageKey][];

it.each(languages.options)('%s tells a state from the button that brings it about', async (language) => {
  const messages = { [language]: await messagesOf(language) };
  const { t } = createI18n({ legacy: false, locale: language, messages }).global;
  expect(statesOfButtons.filter(([button, state]) => t(button) === t(state))).toEqual([]);
});

it('leaves the colon of a component to the language, and the space behind it', () => {
  const byHand = /\}\}:\s|\}\}:<|\}: \$\{|ui\.colon'\)\s*\}\}(<\/\w+>)?\s/;
  expect(filesWith(byHand, 'renderer/**/*.vue')).toEqual([]);
});

it('leaves the comma of lists to the language', () => {
  // Addresses to edit, codes, licences and a style are no lists of words.
  const codes = ['WmsOfferList.vue', 'DeviceFileCard.vue', 'bill.ts', 'air-scale.ts'];
  const others = [...codes, 'notification-draft.ts'];
  const written = filesWith(/join\('[,;] '\)|>, <|\)\}, \$\{(?!number)/, 'renderer/**/*.{vue,ts}');
  expect(written.map((file) => basename(file)).sort()).toEqual(others.sort());
});

it('leaves the brackets of an aside to the language', () => {
  // A file of facts for support, a message of a program, and a page of a table are the same in every language.
  const others = ['NotificationRow.vue', 'sheet-table.ts', 'support-parts.ts'];
  const written = filesWith(/[ >]\(\{\{|[ `]\((\+?)\$\{(?!style)/, 'renderer/**/*.{vue,ts}');
  expect(written.map((file) => basename(file)).sort()).toEqual(others);
});

it('describes the interface by someone and unknown, as pages say it', () => {
  const described = /(?:describe\(|description:|summary:)\s*['`"][^'`"]*\b(?:no|some|every)body\b/i;
  expect(filesWith(described, 'server/**/*.ts')).toEqual([]);
});

function filesWith(pattern: RegExp, files: string): string[] {
  return globSync(files, { cwd: root }).filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
}
