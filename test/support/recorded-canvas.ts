import { vi } from 'vitest';

/** One call on a canvas, with the arguments and the fill at that time. */
export interface Drawn {
  name: string;
  args: readonly unknown[];
  fill: unknown;
}

/** Canvases of happy-dom, which draws none, that write down what is drawn on them; a letter is 7 px wide. */
export function recordCanvases(): Drawn[] {
  const drawn: Drawn[] = [];
  const context = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (set, name: string) =>
        set[name] ??
        ((...args: readonly unknown[]) => {
          drawn.push({ name, args, fill: set['fillStyle'] });
          return { width: 7 * String(args[0]).length };
        }),
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as null); // any context is given
  class Path {}
  for (const name of ['moveTo', 'lineTo', 'rect', 'arc', 'closePath', 'addPath']) {
    Reflect.set(Path.prototype, name, () => undefined);
  }
  vi.stubGlobal('Path2D', Path);
  return drawn;
}
