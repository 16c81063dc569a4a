import {
  mdiBellOutline,
  mdiChartLine,
  mdiFormatText,
  mdiGreenhouse,
  mdiMapOutline,
  mdiNoteTextOutline,
  mdiNumeric,
  mdiToggleSwitchOutline,
} from '@mdi/js';
import type { Component } from 'vue';
import type { WidgetKind } from './widget.ts';
import AlarmsWidget from './widgets/AlarmsWidget.vue';
import HouseWidget from './widgets/HouseWidget.vue';
import MapWidget from './widgets/MapWidget.vue';
import NotesWidget from './widgets/NotesWidget.vue';
import OutputWidget from './widgets/OutputWidget.vue';
import TextWidget from './widgets/TextWidget.vue';
import TrendWidget from './widgets/TrendWidget.vue';
import ValueWidget from './widgets/ValueWidget.vue';

interface Kind {
  icon: string;
  /** Takes the widget of its kind as `widget`. */
  component: Component;
  /** Default size in columns and rows of the grid. */
  columns: number;
  rows: number;
  /** Needs no head without a title: a text is complete in itself, a card shows whose it is. */
  isBare?: true;
}

/** Every widget kind of the contract, in the order of the menu. */
export const widgetKinds: Record<WidgetKind, Kind> = {
  value: { icon: mdiNumeric, component: ValueWidget, columns: 6, rows: 4 },
  trend: { icon: mdiChartLine, component: TrendWidget, columns: 12, rows: 8 },
  output: { icon: mdiToggleSwitchOutline, component: OutputWidget, columns: 6, rows: 8 },
  facility: { icon: mdiGreenhouse, component: HouseWidget, columns: 8, rows: 10, isBare: true },
  alarms: { icon: mdiBellOutline, component: AlarmsWidget, columns: 12, rows: 5, isBare: true },
  map: { icon: mdiMapOutline, component: MapWidget, columns: 8, rows: 3, isBare: true },
  notes: { icon: mdiNoteTextOutline, component: NotesWidget, columns: 8, rows: 6 },
  text: { icon: mdiFormatText, component: TextWidget, columns: 6, rows: 3, isBare: true },
};
