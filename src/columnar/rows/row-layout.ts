import type { DataType } from '../data-type.js';
import { defaultLayout, type Layout, layoutWidth } from '../layout.js';

/** What a row holds of one column. */
export interface RowField {
  readonly type: DataType;
  readonly nullable: boolean;
}

/** Where a column lies in a row. `nullMask` is the bit of the byte at `nullOffset` that is set when the value is not null; 0 = never null. */
export interface RowSlot {
  readonly type: DataType;
  readonly layout: Layout;
  readonly width: number;
  readonly offset: number;
  readonly nullOffset: number;
  readonly nullMask: number;
}

/**
 * Shape of rows of fixed width: first the keys as one comparable piece (fixed-width values and null bits, `fixedKeyBytes`, a multiple
 * of 8; then a view per string key), then the payload, then `extraBytes` (8-byte aligned) for the owner's use.
 */
export class RowLayout {
  readonly keys: readonly RowSlot[];
  readonly payload: readonly RowSlot[];
  readonly fixedKeyBytes: number;
  readonly viewKeys: number;
  /** Offset of the extra bytes. */
  readonly extraOffset: number;
  /** Bytes of a row, a multiple of 8. */
  readonly width: number;

  constructor(keys: readonly RowField[], payload: readonly RowField[], extraBytes = 0) {
    const keySlots: RowSlot[] = [];
    const nullableKeys = keys.filter((f) => f.nullable || f.type.kind === 'Null').length;
    const fixed = keys.map((f, index) => ({ f, index })).filter(({ f }) => defaultLayout(f.type) !== 'view');
    const views = keys.map((f, index) => ({ f, index })).filter(({ f }) => defaultLayout(f.type) === 'view');
    let offset = 0;
    const places = new Map<number, number>();
    for (const { f, index } of byWidth(fixed)) {
      places.set(index, offset);
      offset += layoutWidth(defaultLayout(f.type));
    }
    const nullBytes = offset;
    offset = align8(offset + Math.ceil(nullableKeys / 8));
    this.fixedKeyBytes = offset;
    this.viewKeys = views.length;
    for (const { index } of views) {
      places.set(index, offset);
      offset += 8;
    }
    pushSlots(keys, places, nullBytes, keySlots);
    const payloadSlots: RowSlot[] = [];
    places.clear();
    for (const { f, index } of byWidth(payload.map((f, index) => ({ f, index })))) {
      places.set(index, offset);
      offset += layoutWidth(defaultLayout(f.type));
    }
    const nullablePayload = payload.filter((f) => f.nullable || f.type.kind === 'Null').length;
    pushSlots(payload, places, offset, payloadSlots);
    offset = align8(offset + Math.ceil(nullablePayload / 8));
    this.keys = keySlots;
    this.payload = payloadSlots;
    this.extraOffset = offset;
    this.width = Math.max(8, align8(offset + extraBytes));
  }

  /** Bytes of the key piece at the start of a row. */
  get keyBytes(): number {
    return this.fixedKeyBytes + this.viewKeys * 8;
  }
}

function byWidth<T extends { readonly f: RowField }>(fields: readonly T[]): T[] {
  return [...fields].sort((a, b) => layoutWidth(defaultLayout(b.f.type)) - layoutWidth(defaultLayout(a.f.type)));
}

function pushSlots(
  fields: readonly RowField[],
  places: ReadonlyMap<number, number>,
  nullBytes: number,
  slots: RowSlot[],
): void {
  let nullBit = 0;
  for (const [index, f] of fields.entries()) {
    const layout = defaultLayout(f.type);
    const nullable = f.nullable || layout === 'null';
    slots.push({
      type: f.type,
      layout,
      width: layoutWidth(layout),
      offset: places.get(index)!,
      nullOffset: nullable ? nullBytes + (nullBit >>> 3) : 0,
      nullMask: nullable ? 1 << (nullBit & 7) : 0,
    });
    if (nullable) nullBit++;
  }
}

function align8(bytes: number): number {
  return (bytes + 7) & ~7;
}
