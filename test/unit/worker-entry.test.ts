import { describe, expect, it } from 'vitest';
import { workerEntry } from '../../server/worker-entry.ts';

describe('workerEntry', () => {
  it('finds the source beside the importer', () => {
    const url = workerEntry('map-worker', 'file:///app/server/services/map/runner.ts');
    expect(url.href).toBe('file:///app/server/services/map/map-worker.ts');
  });

  it('finds the bundle beside the bundle', () => {
    expect(workerEntry('map-worker', 'file:///app/dist/main/index.js').href).toBe(
      'file:///app/dist/main/map-worker.js',
    );
    expect(workerEntry('map-worker', 'file:///app/dist/main/service-Bx1.js?v=2').href).toBe(
      'file:///app/dist/main/map-worker.js',
    );
  });
});
