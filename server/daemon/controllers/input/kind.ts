import type { ControlSite, RunningKind } from '../controller-kind.ts';
import { InputOutputs } from './input-outputs.ts';
import { Inputs } from './inputs.ts';

export const inputs: RunningKind<Inputs> = {
  word: 'input',
  run: ({ clock, writer, watchdog, live, events, configuration, outputs, connect }: ControlSite) =>
    new Inputs({
      clock,
      writer,
      watchdog,
      live,
      events,
      conversion: (measurement, unit) => configuration.conversion(measurement, unit),
      outputs: new InputOutputs({ clock, command: (command) => outputs.command(command) }),
      connect: (input, signal) => connect(input, 'input', signal),
    }),
};
