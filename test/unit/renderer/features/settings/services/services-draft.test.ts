import { describe, expect, it } from 'vitest';
import { providersPatch, type Providers } from '../../../../../../server/contract/provider.ts';
import {
  areServicesValid,
  servicesDraftOf,
  servicesWire,
  takesKey,
} from '../../../../../../renderer/features/settings/services/services-draft.ts';
import { defaultSettings } from '../../../../../../server/services/setting/defaults.ts';
import { changesOf } from '../../../../../../renderer/ui/changes.ts';

const stored: Providers = {
  ...defaultSettings('UTC').providers,
  rainviewer: { enabled: true },
  isric: { enabled: true },
  openmeteo: { enabled: true },
  openweather: { enabled: false, key: { set: true } },
  vworld: { enabled: false, domain: 'farm.example' },
  tiles: { enabled: true, templates: [] },
};

function changed(change: (draft: ReturnType<typeof servicesDraftOf>) => void): unknown {
  const draft = servicesDraftOf(stored);
  change(draft);
  const changes = changesOf(servicesWire(servicesDraftOf(stored)), servicesWire(draft));
  return providersPatch.parse(changes);
}

describe('a change of outside services', () => {
  it('is nothing while nothing was touched: a stored key is not sent', () => {
    expect(changed(() => undefined)).toEqual({});
  });

  it('names only the service that was changed', () => {
    expect(changed((draft) => (draft.enabled.isric = false))).toEqual({ isric: { enabled: false } });
  });

  it('sends a new key, and null to remove one', () => {
    expect(changed((draft) => (draft.keys.openweather = 'abc'))).toEqual({
      openweather: { enabled: false, key: 'abc' },
    });
    expect(changed((draft) => (draft.keys.openweather = null))).toEqual({ openweather: { enabled: false, key: null } });
  });

  it('clears the address of a key that was emptied', () => {
    expect(changed((draft) => (draft.domain = ' '))).toEqual({ vworld: { enabled: false, domain: null } });
  });

  it('takes in every service of the list, and a key for those that need one', () => {
    expect(changed((draft) => (draft.enabled.gsi = true))).toEqual({ gsi: { enabled: true } });
    expect(
      changed((draft) => {
        draft.enabled.esri = true;
        draft.keys.esri = 'abc';
      }),
    ).toEqual({ esri: { enabled: true, key: 'abc' } });
    expect([takesKey('esri'), takesKey('osm')]).toEqual([true, false]);
  });

  it('waits for a key that is to be replaced', () => {
    const draft = servicesDraftOf(stored);
    draft.keys.openweather = '';
    expect(areServicesValid(draft)).toBe(false);
  });
});
