import { forecast } from './forecast.ts';
import { hd44780 } from './hd44780.ts';
import { http } from './http.ts';
import { modbus } from './modbus.ts';
import { mqtt } from './mqtt.ts';
import { onewire } from './onewire.ts';
import { simulated } from './simulated.ts';
import { system } from './system.ts';
import { virtual } from './virtual.ts';

/** All drivers, by their name in settings: lower case, like the daemon's folder. */
export const drivers = { simulated, modbus, mqtt, http, onewire, system, forecast, virtual, hd44780 };
