import type { Messages } from '../messages.ts';

export const drivers: Messages['drivers'] = {
  simulated: { name: '模擬', summary: '模擬温室のセンサーとアクチュエーター' },
  modbus: {
    name: 'Modbus TCP',
    summary: 'Modbus TCP の機器やゲートウェイのレジスターとコイル（レジスター一覧で指定）',
  },
  mqtt: {
    name: 'MQTT',
    summary: 'MQTT ブローカーのトピック。Tasmota、Shelly、ESPHome など、数値や JSON を発行する機器に使います',
  },
  http: { name: 'HTTP', summary: 'アドレスへの問い合わせに数値や JSON で答え、別のアドレスで指令を受ける機器' },
  onewire: { name: '1-Wire', summary: 'このコンピューターの 1-Wire バスにつないだ DS18B20 系の温度計' },
  system: {
    name: 'このコンピューター',
    summary: '制御しているコンピューターのプロセッサー温度と負荷、メモリー、ディスク',
  },
  forecast: {
    name: '天気予報',
    summary: 'Open-Meteo による数時間先の予報。古すぎる予報は値を出しません',
  },
  hd44780: {
    name: 'I2C の HD44780',
    summary: 'このコンピューターの I2C バスにつながる文字表示器。i2c-tools で制御します。実機ではまだ試していません',
  },
  virtual: { name: '画面表示', summary: 'この画面だけの表示器。測定値、時刻、文字を行ごとに表示します' },
};
