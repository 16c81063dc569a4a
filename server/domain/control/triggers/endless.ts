import type { Trigger } from '../../../contract/trigger.ts';

/** An output's switch to on or off: what a trigger can act on, and what its actions can cause. */
type Turn = `${string} ${'on' | 'off'}`;

/**
 * The names of triggers that would switch an output on and off through each other at once and endlessly, in their
 * order; null when there are none. One that waits (`for_s`) does not count, as pulses are made that way. Only active
 * triggers count.
 */
export function endlessLoop(triggers: readonly Trigger[]): string[] | null {
  const steps = triggers.filter(({ is_activated }) => is_activated).flatMap(stepsOf);
  for (const { from } of steps) {
    const there = wayTo(opposite(from), from, steps);
    const back = there && wayTo(from, opposite(from), steps);
    if (there && back) return [...new Set([...there, ...back])];
  }
  return null;
}

interface Step {
  from: Turn;
  to: Turn;
  name: string;
}

function stepsOf(trigger: Trigger): Step[] {
  const watched = watchedBy(trigger);
  const caused = trigger.actions.flatMap((action): Turn[] =>
    action.kind === 'output' ? [turn(action, action.state ? 'on' : 'off')] : [],
  );
  return watched.flatMap((from) => caused.map((to) => ({ from, to, name: trigger.name })));
}

function watchedBy(trigger: Trigger): Turn[] {
  if (trigger.kind === 'output') return (trigger.for_s ?? 0) > 0 ? [] : [turn(trigger.output, trigger.state)];
  if (trigger.kind !== 'output_pwm') return [];
  const { direction, output } = trigger;
  return [
    ...(direction === 'falling' ? [] : [turn(output, 'on')]),
    ...(direction === 'rising' ? [] : [turn(output, 'off')]),
  ];
}

/** Without a channel it is the lowest one, whichever that is. */
function turn({ output_id, channel }: { output_id: string; channel?: number | undefined }, to: 'on' | 'off'): Turn {
  return `${output_id}/${channel ?? ''} ${to}`;
}

function opposite(of: Turn): Turn {
  const [output = '', to] = of.split(' ');
  return `${output} ${to === 'on' ? 'off' : 'on'}`;
}

/** The triggers on a path from one turn to another; null when there is none. */
function wayTo(goal: Turn, from: Turn, steps: readonly Step[]): string[] | null {
  const ways = new Map<Turn, string[]>([[from, []]]);
  for (const [at, names] of ways) {
    if (at === goal) return names;
    // Entries set while a map is iterated are iterated too.
    for (const { from: begin, to, name } of steps) if (begin === at && !ways.has(to)) ways.set(to, [...names, name]);
  }
  return null;
}
