import type { Migration } from '../migration.ts';
import { parcels } from './cadastre/0001-parcels.ts';
import { parcelNumbers } from './cadastre/0002-parcel-numbers.ts';
import { parcelBoxes } from './cadastre/0003-parcel-boxes.ts';
import { foldedTexts } from './cadastre/0004-folded-texts.ts';

/** cadastre.db: imported parcels, available without internet. Written by one worker of the server. */
export const cadastreMigrations: readonly Migration[] = [parcels, parcelNumbers, parcelBoxes, foldedTexts];
