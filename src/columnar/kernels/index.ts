// The one kernel module. Only what is re-exported here, by name, is compiled.
export { andBits, fillBits, gatherBits, setBitIndices } from './bitmap';
export { countSetBits } from './count-set-bits';
export {
  copyViews,
  fillValues,
  gather128,
  gather16,
  gather32,
  gather64,
  gather8,
  iota,
  viewBytes,
  widenTo128,
} from './gather';
export {
  codedViewBytes,
  codesBelow,
  packBools,
  readFixed,
  readOffsets,
  unpackBools,
  viewRangeBytes,
  writeFixed,
  writeOffsets,
} from './ipc';
