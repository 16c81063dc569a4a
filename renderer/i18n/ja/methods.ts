import type { Messages } from '../messages.ts';

export const methods: Messages['methods'] = {
  title: '時間ごとの設定値',
  text: 'PIDと出力が従う曲線です。今後24時間の値を描きます。',
  add: '曲線を追加',
  drawn: '1日の点: ドラッグするか矢印キーで動かします',
  at: '時刻',
  addPoint: '点を追加',
  removePoint: '{at}の点を削除',
  noSetpoint: '今後24時間は設定値がありません',
  range: '{least}〜{most}',
  next24: '今後24時間の「{name}」',
  deleteText: 'この曲線に従うものは、先に別のものに従わせてください。',
  deactivateText: '再び有効にするまで、これに従うものには設定値がありません。',
  kinds: {
    date: '日付',
    daily: '毎日',
    sine: '毎日、正弦',
    bezier: '毎日、なめらかな曲線',
    duration: '開始から',
    cascade: 'ほかの曲線の組み合わせ',
    sun: '太陽',
  },
  fields: {
    name: '名前',
    unit: '単位',
    shape: '点と点の間',
    kind: '基準',
  },
  help: {
    unit: '値の単位。数の後に書くとおり: C、%、ppm',
    shape: '階段は次の点まで値を保ちます',
  },
  choices: { shape: { linear: '直線', step: '階段' } },
};
