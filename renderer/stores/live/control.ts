import { shallowReactive } from 'vue';
import { Told } from './told.ts';

/** Live states of controllers, in the form of their kind, by id. */
export type ControlStates = readonly (readonly [id: string, state: object])[];

/** What controllers do now. */
export function liveControl() {
  const told = new Told();
  const states = shallowReactive(new Map<string, object>());

  /** Takes the news of a controller. */
  function take(id: string, state: object): void {
    told.hear(id);
    states.set(id, state);
  }

  /** Takes the states of an answer, unless events have brought newer ones since it was asked for. */
  async function takeAnswer<Answer>(
    asked: Promise<Answer>,
    statesOf: (answer: Answer) => ControlStates,
  ): Promise<Answer> {
    const takes = told.ask();
    const answer = await asked;
    for (const [id, state] of statesOf(answer)) if (takes(id)) states.set(id, state);
    return answer;
  }

  return { take, takeAnswer, of: (id: string): object | undefined => states.get(id) };
}
