import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SecretBox } from '../../auth/secret-box.ts';
import { refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { ProvidersPatch } from '../../contract/provider.ts';
import type { SecretSent } from '../../contract/secret.ts';
import type { WmsLayerSent } from '../../contract/wms-layer.ts';
import { isTree, type Tree } from './merge.ts';

/** A secret as it is stored. */
const sealed = z.strictObject({ sealed: z.string() });
type Sealed = z.infer<typeof sealed>;

interface Kept {
  box: Pick<SecretBox, 'seal'>;
  /** The part of the stored settings that the patch changes. */
  stored: unknown;
}

/** The patch with each new key sealed; one sent back as shown is left out. Throws `read_only_field`. */
export function sealProviderKeys(patch: ProvidersPatch, { box, stored }: Kept): Tree {
  const entries = Object.entries(patch).map(([id, sent]): [string, Tree | undefined] => {
    if (sent === undefined || !('key' in sent) || sent.key == null) return [id, sent];
    const { key, ...others } = sent;
    const path = `providers.${id}.key`;
    return [id, { ...others, key: seal(key, { path, box, kept: sealedAt(at(stored, id), 'key') }) }];
  });
  return Object.fromEntries(entries);
}

/** The layers as they are stored: each with an id, null members left out. Throws `read_only_field`, `invalid_field`. */
export function sealLayerPasswords(sent: readonly WmsLayerSent[], { box, stored }: Kept): Tree[] {
  const known = new Map(trees(stored).map((layer) => [layer['unique_id'], layer]));
  const seen = new Set<string>();
  return sent.map(({ unique_id, password, ...others }, index) => {
    const id = unique_id ?? randomUUID();
    const path = `wms_layers[${index}]`;
    if (seen.has(id)) throw refusePlainly('invalid_field', `${path}.unique_id`, 'is given twice');
    seen.add(id);
    const layer: Tree = { unique_id: id, ...others };
    if (password != null) {
      layer['password'] = seal(password, {
        path: `${path}.password`,
        box,
        kept: originOf(known.get(id)) === originOf(layer) ? sealedAt(known.get(id), 'password') : undefined,
      });
    }
    return Object.fromEntries(Object.entries(layer).filter(([, value]) => value != null));
  });
}

/** The settings with every sealed secret replaced by the mark that it is set. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isTree(value)) return value;
  if (sealed.safeParse(value).success) return { set: true };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)]));
}

/** Every sealed secret in a part of the stored settings. */
export function sealedIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = sealed.safeParse(value).data;
  return found ? [found.sealed] : Object.values(value).flatMap(sealedIn);
}

/** The sealed secret in a member of a stored object. */
export function sealedAt(stored: unknown, member: string): Sealed | undefined {
  return sealed.safeParse(at(stored, member)).data;
}

/** Throws `read_only_field` for the mark of a secret that does not exist. */
function seal(
  secret: SecretSent,
  { path, box, kept }: { path: string; box: Kept['box']; kept: Sealed | undefined },
): Sealed {
  if (typeof secret === 'string') return { sealed: box.seal(secret) };
  if (kept === undefined) throw refuseField('read_only_field', path, why('secret_elsewhere'));
  return kept;
}

/** Where a layer's password is sent; it does not move to another server, nor to one without TLS. */
function originOf(layer: Tree | undefined): string | undefined {
  const url = layer?.['url'];
  return typeof url === 'string' ? URL.parse(url)?.origin : undefined;
}

function at(value: unknown, member: string): unknown {
  return isTree(value) ? value[member] : undefined;
}

function trees(value: unknown): Tree[] {
  return Array.isArray(value) ? value.filter(isTree) : [];
}
