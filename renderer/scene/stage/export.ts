import { Group, Mesh, MeshStandardMaterial, type MeshLambertMaterial } from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import type { Stage } from './stage.ts';

/** The visible parts as binary glTF 2.0: metres, y up, the front to +z as the format has it. */
export async function gltfOf(stage: Stage, name: string): Promise<ArrayBuffer> {
  const house = new Group();
  house.name = name;
  house.rotation.y = Math.PI;
  for (const part of stage.visibleParts()) {
    const copy = part.clone();
    copy.userData = {};
    copy.traverse((one) => {
      if (one instanceof Mesh) one.material = standardOf(one.material as MeshLambertMaterial); // of part-object
    });
    house.add(copy);
  }
  const written = await new GLTFExporter().parseAsync(house, { binary: true, onlyVisible: true });
  if (!(written instanceof ArrayBuffer)) throw new Error('no binary was written');
  return written;
}

/** The format knows physical materials alone. */
function standardOf({ color, opacity, transparent, side }: MeshLambertMaterial): MeshStandardMaterial {
  return new MeshStandardMaterial({ color, opacity, transparent, side, roughness: 0.8, metalness: 0 });
}
