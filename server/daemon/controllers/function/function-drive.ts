import type { FunctionSettings } from '../../../contract/function.ts';
import { explained } from '../../../domain/control/reason-text.ts';
import type { Outputs } from '../output/outputs.ts';
import type { Drive } from '../../../domain/control/functions/laws/law.ts';

/** The outputs of one function: claims them, commands them with its reasons, drives them safe. */
export class FunctionDrive implements Drive {
  readonly #outputs: Outputs;
  readonly #settings: () => FunctionSettings;
  #isDriving = false;

  constructor(outputs: Outputs, settings: () => FunctionSettings) {
    this.#outputs = outputs;
    this.#settings = settings;
  }

  get isDriving(): boolean {
    return this.#isDriving;
  }

  ask: Drive['ask'] = async (output, wanted, reason) => {
    const { unique_id, name } = this.#settings();
    const ref = this.#claim(output);
    const { because } = explained(reason);
    const cause = { kind: 'function', unique_id, name, because, reason };
    const told = { source: 'automatic', actor: `function ${name}`, reason: because, cause } as const;
    // A dose that waits would come when it is no longer wanted.
    const lasting = wanted.volume_ml === undefined ? 'standing' : undefined;
    const { outcome, message } = await this.#outputs.command({ ...ref, ...wanted, ...told }, lasting);
    return outcome === 'failed' ? message : null;
  };

  async makeSafe(): Promise<void> {
    const { unique_id, name } = this.#settings();
    await this.#outputs.driveSafe(unique_id, `function ${name}`);
  }

  /** Drives them safe and gives them up to others. */
  async letGo(): Promise<void> {
    this.#isDriving = false;
    await this.#outputs.letGo(this.#settings().unique_id);
  }

  /** Throws RemoteFailure when the output is not running, and an Error that names its present driver. */
  #claim({ output_id, channel: wanted }: Parameters<Drive['ask']>[0]): { output_id: string; channel: number } {
    const { channel } = this.#outputs.channel(output_id, wanted).settings;
    const owner = this.#outputs.drive(this.#settings().unique_id, output_id, channel);
    if (owner !== undefined) throw new Error(`output_driven: ${output_id} is driven by ${owner}`);
    this.#isDriving = true;
    return { output_id, channel };
  }
}
