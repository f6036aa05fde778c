// The one kernel module. Only what is re-exported here, by name, is compiled.
export {
  accumulateBits,
  accumulateCount,
  accumulateCounts,
  accumulateMoments,
  accumulatePairs,
  accumulateSumF64,
  accumulateSumI128,
  accumulateSumI64,
  accumulateSumU64,
  finishAverage,
  finishSumI64,
  gatherSeen,
  gatherState,
  mergeMoments,
  mergePairs,
  mergeSumF64,
  narrow128,
  narrowValues,
} from './accumulate';
export { andBits, fillBits, gatherBits, setBitIndices } from './bitmap';
export { countSetBits } from './count-set-bits';
export { addMonthsToDays, dayOfDays, dayOfYearOfDays, monthOfDays, yearOfDays } from './dates';
export {
  appendValues,
  distinctAdoptStrings,
  distinctBytes,
  distinctInsert,
  distinctKeys,
  distinctRehash,
  distinctStringBytes,
  distinctValues,
  distinctWrite,
} from './distinct';
export {
  accumulateEnd,
  accumulateEndString,
  accumulateExtreme,
  accumulateExtremeString,
  adoptStrings,
  pendingBytes,
} from './extremes';
export {
  copyViews,
  fillValues,
  gather128,
  gather16,
  gather32,
  gather64,
  gather8,
  gatherColumn,
  gatherViews,
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
export { bucketRows, hashColumn, hashNothing, hashWords, keyWords } from './hash';
export {
  chainRows,
  combineCodes,
  fillUnmatched,
  flagPositions,
  headFlags,
  selectFlags,
  visitChains,
  findOrMakeGroups,
  groupsByCode,
  growTable,
  probeChains,
  selectHeads,
  splitTable,
  walkChains,
} from './hash-table';
export {
  copyRows,
  gatherRowColumn,
  gatherRowValidity,
  gatherRowViews,
  gatherRowWords,
  markRows,
  markedRows,
  ownRowViews,
  rowAddresses,
  rowViewBytes,
  scatterColumn,
  scatterF32Key,
  scatterF64Key,
  scatterNarrowed,
  scatterTags,
  scatterValidity,
  scatterWidened,
} from './rows';
export {
  compareRows,
  entriesBefore,
  mergeNext,
  mergeSettle,
  mergeStart,
  rowExtremes,
  sortEntries,
  sortRun,
} from './sort';
export { addRowKeys, keySetFlags, selectFlaggedCodes, selectKeys, uniteKeySets } from './key-set';
export { deltaCount, deltaDecode, joinPrefixes, lengthViews, sumLengths } from './delta';
export { hybridDecode, hybridDecodeBits, hybridRepeats, hybridStart } from './hybrid';
export { lz4Decompress } from './lz4';
export {
  bitsToBytes,
  byteArrayViews,
  byteStreamMerge,
  decimalsToI128,
  decimalsToI64,
  fixedViews,
  halfToF32,
  i32ToI16,
  i32ToI64,
  i32ToI8,
  i32ToU16,
  i32ToU8,
  int96ToNanos,
  intervalsToNanos,
  spreadValues,
  u32ToU8,
  viewedDecimalsToI128,
  viewedDecimalsToI64,
} from './page-values';
export { snappyDecompress } from './snappy';
export { zstdDecompress } from './zstd';
export { compareStrings, countCodePoints, equalStrings, likeMatches, startsWithBytes, substrView } from './strings';
