import type { Database, Statement } from 'better-sqlite3';
import { driverOptions, type Output, type OutputChannel } from '../../contract/output.ts';

interface OutputRow {
  unique_id: string;
  name: string;
  driver: string;
  options: string;
  is_activated: number;
}

type ChannelRow = OutputChannel & { output_id: string };

const columns = 'unique_id, name, driver, options, is_activated';
const channelColumns = `output_id, channel, name, kind, safe_state, startup_state, shutdown_state, min_off_s, max_on_s,
  current_a, flow_ml_s, pwm_cycle_s, pwm_min_on_s, motor_close_channel, motor_travel_s, motor_slack_s`;
const channelValues = channelColumns.replace(/\w+/g, '@$&');

/** The outputs of orangery.db, in order of creation. */
export class OutputRepository {
  readonly #database: Database;
  readonly #all: Statement<[], OutputRow>;
  readonly #allChannels: Statement<[], ChannelRow>;
  readonly #one: Statement<[string], OutputRow>;
  readonly #channelsOf: Statement<[string], ChannelRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#all = database.prepare(`SELECT ${columns} FROM outputs ORDER BY ordinal`);
    this.#allChannels = database.prepare(`SELECT ${channelColumns} FROM output_channels ORDER BY output_id, channel`);
    this.#one = database.prepare(`SELECT ${columns} FROM outputs WHERE unique_id = ?`);
    this.#channelsOf = database.prepare(
      `SELECT ${channelColumns} FROM output_channels WHERE output_id = ? ORDER BY channel`,
    );
  }

  list(): Output[] {
    const channels = Map.groupBy(this.#allChannels.all(), (row) => row.output_id);
    return this.#all.all().map((row) => fromRow(row, channels.get(row.unique_id) ?? []));
  }

  /** `id` in lower case. */
  get(id: string): Output | undefined {
    const row = this.#one.get(id);
    return row && fromRow(row, this.#channelsOf.all(id));
  }

  insert(output: Output): void {
    const insert = this.#database.prepare(
      `INSERT INTO outputs (${columns}) VALUES (@unique_id, @name, @driver, @options, @is_activated)`,
    );
    this.#database
      .transaction(() => {
        insert.run(toRow(output));
        this.#writeChannels(output);
      })
      .immediate();
  }

  /** Replaces all fields of the output with the same id; its channels become exactly the given ones. */
  update(output: Output): void {
    const update = this.#database.prepare(
      `UPDATE outputs SET name = @name, driver = @driver, options = @options, is_activated = @is_activated
       WHERE unique_id = @unique_id`,
    );
    this.#database
      .transaction(() => {
        if (update.run(toRow(output)).changes === 0) return;
        this.#database.prepare('DELETE FROM output_channels WHERE output_id = ?').run(output.unique_id);
        this.#writeChannels(output);
      })
      .immediate();
  }

  /** False when there was none. */
  remove(id: string): boolean {
    return this.#database.prepare('DELETE FROM outputs WHERE unique_id = ?').run(id).changes > 0;
  }

  #writeChannels(output: Output): void {
    const insert = this.#database.prepare(`INSERT INTO output_channels (${channelColumns}) VALUES (${channelValues})`);
    for (const channel of output.channels) insert.run({ ...channel, output_id: output.unique_id });
  }
}

function toRow(output: Output): OutputRow {
  return {
    unique_id: output.unique_id,
    name: output.name,
    driver: output.driver,
    options: JSON.stringify(output.options),
    is_activated: Number(output.is_activated),
  };
}

function fromRow(row: OutputRow, channels: ChannelRow[]): Output {
  return {
    ...row,
    options: driverOptions.parse(JSON.parse(row.options)),
    channels: channels.map(({ output_id: _, ...channel }) => channel),
    is_activated: row.is_activated === 1,
  };
}
