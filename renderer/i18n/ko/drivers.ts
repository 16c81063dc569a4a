import type { Messages } from '../messages.ts';

export const drivers: Messages['drivers'] = {
  simulated: { name: '가상', summary: '가상 온실의 센서와 구동기입니다' },
  modbus: {
    name: 'Modbus TCP',
    summary: 'Modbus TCP 장치나 게이트웨이의 레지스터와 코일이며, 레지스터 목록으로 지정합니다',
  },
  mqtt: {
    name: 'MQTT',
    summary: 'MQTT 브로커의 토픽입니다. Tasmota, Shelly, ESPHome 등 숫자나 JSON을 발행하는 장치에 씁니다',
  },
  http: { name: 'HTTP', summary: '주소로 물으면 숫자나 JSON으로 답하고, 다른 주소로 명령을 받는 장치입니다' },
  onewire: { name: '1-Wire', summary: '이 컴퓨터의 1-Wire 버스에 연결된 DS18B20 계열 온도계입니다' },
  system: { name: '이 컴퓨터', summary: '제어하는 컴퓨터의 프로세서 온도와 부하, 메모리, 디스크입니다' },
  forecast: {
    name: '일기 예보',
    summary: 'Open-Meteo가 예보하는 몇 시간 뒤의 날씨입니다. 너무 오래된 예보는 값을 내지 않습니다',
  },
  hd44780: {
    name: 'HD44780 (I2C)',
    summary:
      '이 컴퓨터의 I2C 버스에 연결된 문자 표시기로, i2c-tools로 제어합니다. 아직 실제 장치에서 시험하지 않았습니다',
  },
  virtual: { name: '화면 표시', summary: '이 화면에만 있는 표시기로, 측정값, 시각, 글을 여러 줄로 보여 줍니다' },
};
