import type { Database, Statement } from 'better-sqlite3';
import type { z } from 'zod';
import { inputScale, powerOutput, preOutput, type Input, type InputChannel } from '../../contract/input.ts';
import { driverOptions } from '../../contract/output.ts';

interface InputRow {
  unique_id: string;
  name: string;
  driver: string;
  options: string;
  period_s: number;
  start_offset_s: number;
  pre_output: string | null;
  power_output: string | null;
  is_activated: number;
}

interface ChannelRow extends Omit<InputChannel, 'is_enabled' | 'scale'> {
  input_id: string;
  is_enabled: number;
  scale: string | null;
}

const columns = 'unique_id, name, driver, options, period_s, start_offset_s, pre_output, power_output, is_activated';
const channelColumns = `input_id, channel, name, measurement_id, measurement, unit,
  is_enabled, scale, raw_unit, plausible_min, plausible_max, max_rate_per_min, resolution`;
const named = (list: string): string => list.replace(/\w+/g, '@$&');

/** The inputs of orangery.db, in order of creation. */
export class InputRepository {
  readonly #database: Database;
  readonly #all: Statement<[], InputRow>;
  readonly #allChannels: Statement<[], ChannelRow>;
  readonly #one: Statement<[string], InputRow>;
  readonly #channelsOf: Statement<[string], ChannelRow>;
  readonly #series: Statement<[string, string], Pick<InputChannel, 'channel' | 'unit'>>;

  constructor(database: Database) {
    this.#database = database;
    this.#all = database.prepare(`SELECT ${columns} FROM inputs ORDER BY ordinal`);
    this.#allChannels = database.prepare(`SELECT ${channelColumns} FROM input_channels ORDER BY input_id, channel`);
    this.#one = database.prepare(`SELECT ${columns} FROM inputs WHERE unique_id = ?`);
    this.#channelsOf = database.prepare(
      `SELECT ${channelColumns} FROM input_channels WHERE input_id = ? ORDER BY channel`,
    );
    this.#series = database.prepare(
      'SELECT channel, unit FROM input_channels WHERE input_id = ? AND measurement_id = ?',
    );
  }

  list(): Input[] {
    const channels = Map.groupBy(this.#allChannels.all(), (row) => row.input_id);
    return this.#all.all().map((row) => fromRow(row, channels.get(row.unique_id) ?? []));
  }

  /** `id` in lower case. */
  get(id: string): Input | undefined {
    const row = this.#one.get(id);
    return row && fromRow(row, this.#channelsOf.all(id));
  }

  /** Channel and unit of an input's measurement; `id` and `measurementId` in lower case. */
  seriesOf(id: string, measurementId: string): Pick<InputChannel, 'channel' | 'unit'> | undefined {
    return this.#series.get(id, measurementId);
  }

  /** The inputs that switch an output for their readings or their power. */
  usersOf(outputId: string): { unique_id: string; name: string }[] {
    return this.#database
      .prepare<[{ output_id: string }], { unique_id: string; name: string }>(
        `SELECT unique_id, name FROM inputs
         WHERE pre_output ->> 'output_id' = @output_id OR power_output ->> 'output_id' = @output_id ORDER BY ordinal`,
      )
      .all({ output_id: outputId });
  }

  insert(input: Input): void {
    const insert = this.#database.prepare(`INSERT INTO inputs (${columns}) VALUES (${named(columns)})`);
    this.#database
      .transaction(() => {
        insert.run(toRow(input));
        this.#writeChannels(input);
      })
      .immediate();
  }

  /** Replaces all fields of the input with the same id; its channels become exactly the given ones. */
  update(input: Input): void {
    const update = this.#database.prepare(
      `UPDATE inputs SET (${columns}) = (${named(columns)}) WHERE unique_id = @unique_id`,
    );
    this.#database
      .transaction(() => {
        if (update.run(toRow(input)).changes === 0) return;
        this.#database.prepare('DELETE FROM input_channels WHERE input_id = ?').run(input.unique_id);
        this.#writeChannels(input);
      })
      .immediate();
  }

  /** False when there was none. */
  remove(id: string): boolean {
    return this.#database.prepare('DELETE FROM inputs WHERE unique_id = ?').run(id).changes > 0;
  }

  #writeChannels(input: Input): void {
    const insert = this.#database.prepare(
      `INSERT INTO input_channels (${channelColumns}) VALUES (${named(channelColumns)})`,
    );
    for (const channel of input.channels) insert.run(toChannelRow(input.unique_id, channel));
  }
}

function toRow(input: Input): InputRow {
  return {
    unique_id: input.unique_id,
    name: input.name,
    driver: input.driver,
    options: JSON.stringify(input.options),
    period_s: input.period_s,
    start_offset_s: input.start_offset_s,
    pre_output: toJson(input.pre_output),
    power_output: toJson(input.power_output),
    is_activated: Number(input.is_activated),
  };
}

function toChannelRow(input_id: string, channel: InputChannel): ChannelRow {
  return { ...channel, input_id, is_enabled: Number(channel.is_enabled), scale: toJson(channel.scale) };
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function fromJson<Value>(schema: z.ZodType<Value>, stored: string | null): Value | null {
  return stored === null ? null : schema.parse(JSON.parse(stored));
}

function fromRow(row: InputRow, channels: ChannelRow[]): Input {
  return {
    ...row,
    options: driverOptions.parse(JSON.parse(row.options)),
    pre_output: fromJson(preOutput, row.pre_output),
    power_output: fromJson(powerOutput, row.power_output),
    channels: channels.map(({ input_id: _, ...channel }) => ({
      ...channel,
      is_enabled: channel.is_enabled === 1,
      scale: fromJson(inputScale, channel.scale),
    })),
    is_activated: row.is_activated === 1,
  };
}
